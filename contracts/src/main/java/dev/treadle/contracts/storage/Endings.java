package dev.treadle.contracts.storage;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Lease;
import java.time.Duration;

/** How attempts end in tests. */
final class Endings {
    static final Duration RAN = Duration.ofMillis(120);
    static final Failure BOOM = new Failure("java.lang.IllegalStateException", "boom", "at com.acme.Slips.generate");
    static final Failure SILENT = Failure.because("NodeLost", "the node was silent");
    static final Failure UNKNOWN = Failure.because("NotRunnable", "no class of that name");

    private Endings() {}

    static Ending completed(Lease lease) {
        return new Ending.Complete(lease, RAN);
    }

    /** Another attempt after a while. */
    static Ending threw(Lease lease, Duration delay) {
        return new Ending.Retry(lease, Event.THREW, RAN, BOOM, delay);
    }

    /** Threw, and no attempt is left. */
    static Ending failed(Lease lease) {
        return new Ending.Fail(lease, Event.THREW, RAN, BOOM);
    }

    /** What a rescuer writes. */
    static Ending rescued(Lease lease, Duration delay) {
        return new Ending.Retry(lease, Event.NODE_LOST, null, SILENT, delay);
    }

    /** What a rescuer writes when no attempt is left. */
    static Ending lost(Lease lease) {
        return new Ending.Fail(lease, Event.NODE_LOST, null, SILENT);
    }

    /** The node did not know the target. */
    static Ending parked(Lease lease) {
        return new Ending.Park(lease, UNKNOWN, false);
    }

    /** The node knew the target and still could not run it. */
    static Ending parkedThoughKnown(Lease lease) {
        return new Ending.Park(lease, UNKNOWN, true);
    }

    /** Had not begun. */
    static Ending givenBack(Lease lease) {
        return new Ending.GiveBack(lease, null);
    }

    /** Had begun and was interrupted. */
    static Ending stopped(Lease lease) {
        return new Ending.GiveBack(lease, RAN);
    }
}
