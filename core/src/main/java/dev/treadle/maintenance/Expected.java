package dev.treadle.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Until when a chore rests that waits for the next of something, and who ends that rest if something comes before. The
 * chore's thread sets it; any thread may expect.
 */
final class Expected {
    /** So much earlier is not worth a turn: two answers about the same moment differ by that, in milliseconds. */
    private static final long SAME_MILLIS = 20;

    private final InstantSource time;
    private final Runnable nudge;
    private volatile Instant restsUntil = Instant.MAX;

    Expected(InstantSource time, Runnable nudge) {
        this.time = time;
        this.nudge = nudge;
    }

    /** A turn begins: whatever is expected while it asks is worth another. */
    void asks() {
        restsUntil = Instant.MAX;
    }

    Duration rests(Duration rest) {
        restsUntil = time.instant().plus(rest);
        return rest;
    }

    /** Something comes after so long. */
    void in(Duration delay) {
        if (time.instant().plus(delay).plusMillis(SAME_MILLIS).isBefore(restsUntil)) {
            nudge.run();
        }
    }
}
