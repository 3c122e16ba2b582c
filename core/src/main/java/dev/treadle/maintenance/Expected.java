package dev.treadle.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Knows how long a chore rests until its next event, and wakes it if an earlier event is announced. The chore's thread sets
 * the rest; any thread may announce.
 */
final class Expected {
    /** An event that is this little earlier does not wake the chore: answers about one moment differ that much, in ms. */
    private static final long SAME_MILLIS = 20;

    private final InstantSource time;
    private final Runnable nudge;
    private volatile Instant restsUntil = Instant.MAX;

    Expected(InstantSource time, Runnable nudge) {
        this.time = time;
        this.nudge = nudge;
    }

    /** A turn begins. Whatever is announced while it asks the storage leads to another turn. */
    void turnBegins() {
        restsUntil = Instant.MAX;
    }

    /** The chore rests now. */
    Duration rest(Duration rest) {
        restsUntil = time.instant().plus(rest);
        return rest;
    }

    /** An event is due after this delay. */
    void in(Duration delay) {
        if (time.instant().plus(delay).plusMillis(SAME_MILLIS).isBefore(restsUntil)) {
            nudge.run();
        }
    }
}
