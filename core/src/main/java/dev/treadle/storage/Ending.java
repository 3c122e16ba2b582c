package dev.treadle.storage;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobResult;
import dev.treadle.job.StateName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ended and what becomes of the job, as one thing to write down. */
public sealed interface Ending {
    /** The lease under which it ran. */
    Lease lease();

    /** What its history row will say happened; null if there will be no row. */
    @Nullable
    Event event();

    /** The state the job goes to. */
    StateName next();

    /** How long user code ran; null if that is not known or it did not run. */
    @Nullable
    Duration ranFor();

    /** What went wrong; null if nothing did. */
    @Nullable
    Failure why();

    /**
     * Ended well: Succeeded.
     *
     * @param result what it returned; null if nothing
     */
    record Complete(Lease lease, Duration ranFor, @Nullable JobResult result) implements Ending {
        /** Returned nothing. */
        public Complete(Lease lease, Duration ranFor) {
            this(lease, ranFor, null);
        }

        @Override
        public Event event() {
            return Event.COMPLETED;
        }

        @Override
        public StateName next() {
            return StateName.SUCCEEDED;
        }

        @Override
        public @Nullable Failure why() {
            return null;
        }
    }

    /** Ended badly, another attempt comes: Scheduled. */
    record Retry(Lease lease, Event event, @Nullable Duration ranFor, Failure why, Duration delay) implements Ending {
        @Override
        public StateName next() {
            return StateName.SCHEDULED;
        }
    }

    /** Ended badly for good: Failed. */
    record Fail(Lease lease, Event event, @Nullable Duration ranFor, Failure why) implements Ending {
        @Override
        public StateName next() {
            return StateName.FAILED;
        }
    }

    /** The job asked to be run later: Scheduled, attempt not counted. */
    record Snooze(Lease lease, Duration ranFor, Duration delay) implements Ending {
        @Override
        public Event event() {
            return Event.SNOOZED;
        }

        @Override
        public StateName next() {
            return StateName.SCHEDULED;
        }

        @Override
        public @Nullable Failure why() {
            return null;
        }
    }

    /**
     * This node cannot run it: Parked, attempt not counted.
     *
     * @param known the node knows the target, only the arguments or the receiver are wrong, so other nodes of the same
     *              release need not try
     */
    record Park(Lease lease, Failure why, boolean known) implements Ending {
        @Override
        public Event event() {
            return Event.NOT_RUNNABLE;
        }

        @Override
        public StateName next() {
            return StateName.PARKED;
        }

        @Override
        public @Nullable Duration ranFor() {
            return null;
        }
    }

    /**
     * Given back: Enqueued, attempt not counted.
     *
     * @param ranFor how long it had run when it was interrupted; null if it had not begun, and then there is no history
     */
    record GiveBack(Lease lease, @Nullable Duration ranFor) implements Ending {
        @Override
        public @Nullable Event event() {
            return ranFor == null ? null : Event.STOPPED;
        }

        @Override
        public StateName next() {
            return StateName.ENQUEUED;
        }

        @Override
        public @Nullable Failure why() {
            return null;
        }
    }
}
