package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of a job's history: an attempt that ended, or an operator's act.
 *
 * @param event     what happened
 * @param next      the state the job went to
 * @param attempt   which attempt it was, from 1; 0 for an operator's act on a job that had not run
 * @param node      whose attempt it was, also when another node rescued it; null for an operator's act
 * @param by        who acted; null for an attempt
 * @param claimedAt when the attempt's lease began; null for an operator's act
 * @param at        when it was recorded
 * @param ranFor    how long user code ran; null if that is not known
 * @param why       the failure, or the reason that the operator gave; null if there is none
 */
public record HistoryEntry(
        Event event,
        StateName next,
        int attempt,
        @Nullable NodeId node,
        @Nullable String by,
        @Nullable Instant claimedAt,
        Instant at,
        @Nullable Duration ranFor,
        @Nullable Failure why) {

    /** The kinds of things that happen to a job. */
    public enum Event {
        /** The attempt ended well. */
        COMPLETED(0),
        /** The attempt threw. */
        THREW(1),
        /** The node fell silent while it held the lease. */
        NODE_LOST(2),
        /** The node was stopped and the attempt given back without being counted. */
        STOPPED(3),
        /** The node did not know how to run it. */
        NOT_RUNNABLE(4),
        /** A person or program cancelled it. */
        CANCELLED(5),
        /** A person or program asked for it to run again. */
        RUN_AGAIN(6),
        /** The job asked to be run later; the attempt was not counted. */
        SNOOZED(7),
        /** The job began to wait at a gate; the attempt was not counted. */
        SUSPENDED(8),
        /** Its deadline passed before it had ended. */
        EXPIRED(9);

        private final int code;

        Event(int code) {
            this.code = code;
        }

        /** The number of this event in storage; never changes. */
        public int code() {
            return code;
        }

        /**
         * The event of a stored number.
         *
         * @throws IllegalArgumentException if no event has that number
         */
        public static Event of(int code) {
            for (Event event : values()) {
                if (event.code == code) {
                    return event;
                }
            }
            throw new IllegalArgumentException("No history event has the code " + code + ".");
        }
    }
}
