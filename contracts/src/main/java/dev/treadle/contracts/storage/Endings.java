package dev.treadle.contracts.storage;

import dev.treadle.job.Failure;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;

/** How attempts end in tests. */
final class Endings {
    static final Duration RAN = Duration.ofMillis(120);
    static final Failure BOOM = new Failure("java.lang.IllegalStateException", "boom", "at com.acme.Slips.generate");
    static final Failure SILENT = Failure.because("NodeLost", "the node was silent");
    static final Failure UNKNOWN = Failure.because("NotRunnable", "no class of that name");

    private Endings() {}

    static Transition completed(Lease lease) {
        return AttemptEnd.succeeded(lease, RAN);
    }

    /** Another attempt after a while. */
    static Transition threw(Lease lease, Duration delay) {
        return AttemptEnd.retried(lease, RAN, BOOM, delay);
    }

    /** Threw, and no attempt is left. */
    static Transition failed(Lease lease) {
        return AttemptEnd.failed(lease, RAN, BOOM);
    }

    /** What a rescuer writes. */
    static Transition rescued(Lease lease, Duration delay) {
        return AttemptEnd.rescued(lease, SILENT, delay);
    }

    /** What a rescuer writes when no attempt is left. */
    static Transition lost(Lease lease) {
        return AttemptEnd.abandoned(lease, SILENT);
    }

    /** The node did not know the target. */
    static Transition parked(Lease lease) {
        return AttemptEnd.parked(lease, UNKNOWN, false);
    }

    /** The node knew the target and still could not run it. */
    static Transition parkedThoughKnown(Lease lease) {
        return AttemptEnd.parked(lease, UNKNOWN, true);
    }

    /** It waits at a gate. */
    static Transition suspended(Lease lease) {
        return AttemptEnd.suspended(lease, RAN);
    }

    /** Had not begun. */
    static Transition givenBack(Lease lease) {
        return AttemptEnd.givenBack(lease);
    }

    /** Had begun and was interrupted. */
    static Transition stopped(Lease lease) {
        return AttemptEnd.stopped(lease, RAN);
    }
}
