package dev.treadle.storage;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ended and what becomes of the job, as one thing to write down. */
public sealed interface Ending {
    /** The lease under which it ran. */
    Leased lease();

    /** What its history row will say happened; null if there will be no row. */
    @Nullable
    Event event();

    /** Ended well: Succeeded. */
    record Complete(Leased lease, Duration ranFor) implements Ending {
        @Override
        public Event event() {
            return Event.COMPLETED;
        }
    }

    /** Ended badly, another attempt comes: Scheduled. */
    record Retry(Leased lease, Event event, @Nullable Duration ranFor, Failure why, Duration delay) implements Ending {}

    /** Ended badly for good: Failed. */
    record Fail(Leased lease, Event event, @Nullable Duration ranFor, Failure why) implements Ending {}

    /**
     * This node cannot run it: Parked, attempt not counted.
     *
     * @param known the node knows the target, only the arguments or the receiver are wrong, so other nodes of the same
     *              release need not try
     */
    record Park(Leased lease, Failure why, boolean known) implements Ending {
        @Override
        public Event event() {
            return Event.NOT_RUNNABLE;
        }
    }

    /**
     * Given back: Enqueued, attempt not counted.
     *
     * @param ranFor how long it had run when it was interrupted; null if it had not begun, and then there is no history
     */
    record GiveBack(Leased lease, @Nullable Duration ranFor) implements Ending {
        @Override
        public @Nullable Event event() {
            return ranFor == null ? null : Event.STOPPED;
        }
    }
}
