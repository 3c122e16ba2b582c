package dev.treadle.storage.sql.postgresql;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How often a look may begin at the very beginning. As long as such a look is quick, every
 * {@value #USUAL_MILLIS} ms. One that walks over many dead rows, because some transaction of the database keeps them
 * from being removed, is slow: then it is repeated so rarely that it takes at most a hundredth of the time. Thread-safe.
 */
final class ScanPacer {
    /** The rest between two such looks while they are quick, in milliseconds. */
    static final long USUAL_MILLIS = 500;
    /** The longest rest, in milliseconds. */
    static final long LONGEST_MILLIS = 30_000;
    /** A look that took no longer than this is quick, in milliseconds. */
    static final long QUICK_MILLIS = 20;
    /** A slow look is followed by a rest of so many times its length. */
    private static final int REST_FACTOR = 100;

    private final LongSupplier nanoTime;
    private volatile long nextNanos;

    /** The first look is due at once. */
    ScanPacer(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.nextNanos = nanoTime.getAsLong();
    }

    boolean isDue() {
        return nanoTime.getAsLong() - nextNanos >= 0;
    }

    /** A look has begun at the beginning and has ended now. */
    void looked(long beganNanos) {
        long now = nanoTime.getAsLong();
        nextNanos = now + rest(Duration.ofNanos(now - beganNanos)).toNanos();
    }

    static Duration rest(Duration took) {
        if (took.toMillis() < QUICK_MILLIS) {
            return Duration.ofMillis(USUAL_MILLIS);
        }
        return Duration.ofMillis(Math.min(LONGEST_MILLIS, REST_FACTOR * took.toMillis()));
    }
}
