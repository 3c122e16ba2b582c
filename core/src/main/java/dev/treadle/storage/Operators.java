package dev.treadle.storage;

import dev.treadle.job.JobId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What people do to jobs, with a trace of it: each call writes its audit row in the transaction in which it moves the
 * jobs, so neither is without the other. What they do to {@linkplain QueueStorage queues} and {@linkplain
 * RecurringStorage what recurs} takes its act along in the same way. Thread-safe.
 */
public interface Operators {
    /** Most jobs that one call moves. */
    int JOBS_MAX = 200;
    /** Most audit rows that one call gives. */
    int AUDIT_MAX = 200;

    /**
     * Does one thing to some jobs. Those it cannot be done to, because they have moved on, are left as they are.
     *
     * @param ids at most {@link #JOBS_MAX}
     * @return one answer for each job, in their order
     */
    List<WriteResult> act(Act act, List<JobId> ids);

    /**
     * Keeps a new job because somebody wants it now.
     *
     * @param job due now
     */
    void insert(Act act, NewJob job);

    /**
     * Writes down something that was done elsewhere.
     *
     * @param jobs how many jobs it was done to
     */
    void note(Act act, int jobs);

    /**
     * What was done, latest first.
     *
     * @param before only rows before the one with this number; null for the latest
     * @param max    most rows to give, 1 to {@link #AUDIT_MAX}
     */
    List<Done> audit(@Nullable Long before, int max);

    /** What can be done to a job. */
    enum Action {
        /** Makes a job that has ended or is parked Enqueued again, with all its attempts before it. */
        RUN_AGAIN,
        /** Makes a Scheduled job Enqueued. */
        RUN_NOW,
        /** Makes a job that has not ended Cancelled. */
        CANCEL,
        /** Removes a job that does not run, and its history. */
        DELETE
    }

    /**
     * Who does what, and on what grounds.
     *
     * @param action what
     * @param move   who and why
     * @param target what it was aimed at, for people: an id, or a filter; bounded like a failure's message
     */
    record Act(String action, OperatorNote move, String target) {
        /** Longest name of an action, in characters. */
        public static final int ACTION_CHARS_MAX = 40;
        /** Longest target, in characters. */
        public static final int TARGET_CHARS_MAX = 1_000;

        /** Bounds the texts. */
        public Act {
            action = action.substring(0, Math.min(action.length(), ACTION_CHARS_MAX));
            target = dev.treadle.job.Failure.because("", target).message();
        }

        /** One of the actions on jobs. */
        public static Act of(Action action, OperatorNote move, String target) {
            return new Act(action.name(), move, target);
        }
    }

    /**
     * An audit row.
     *
     * @param number grows with each row
     * @param at     when, by the clock of the storage
     * @param by     who
     * @param action what
     * @param target what it was aimed at
     * @param why    the reason given; null if none was
     * @param jobs   how many jobs it was done to
     */
    record Done(
            long number,
            Instant at,
            String by,
            String action,
            String target,
            @Nullable String why,
            int jobs) {}
}
