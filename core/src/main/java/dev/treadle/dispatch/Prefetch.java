package dev.treadle.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many jobs to claim ahead of free permits: as many as this node lately finished in the time that a claim takes, so
 * short jobs never wait for the database and long jobs are left to other nodes. Thread-safe.
 */
final class Prefetch {
    /** Most jobs claimed ahead, in jobs. */
    static final int PREFETCH_MAX = 1_000;
    /** The time for which to hold jobs ahead, in milliseconds. */
    static final long AHEAD_MILLIS = 50;
    /** How often the rate is looked at anew, in milliseconds. */
    private static final long WINDOW_MILLIS = 20;

    private final InstantSource time;
    private final AtomicLong ended = new AtomicLong();
    /** Touched by the dispatching thread only, as is all below. */
    private Instant since;

    private long endedBefore;
    private int jobs;

    Prefetch(InstantSource time) {
        this.time = time;
        this.since = time.instant();
    }

    void oneEnded() {
        ended.incrementAndGet();
    }

    long ended() {
        return ended.get();
    }

    /** The number now, in jobs. */
    int jobs() {
        Instant now = time.instant();
        long millis = Duration.between(since, now).toMillis();
        if (millis >= WINDOW_MILLIS) {
            long total = ended.get();
            jobs = (int) Math.min(PREFETCH_MAX, (total - endedBefore) * AHEAD_MILLIS / millis);
            endedBefore = total;
            since = now;
        }
        return jobs;
    }
}
