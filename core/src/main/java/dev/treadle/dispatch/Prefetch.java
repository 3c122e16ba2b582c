package dev.treadle.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many jobs to claim ahead of free permits: as many as this node has lately finished in the time that a claim takes.
 * Short jobs then never wait for the database, and long jobs are left to other nodes. Thread-safe.
 */
final class Prefetch {
    /** The highest number of jobs claimed ahead. */
    static final int PREFETCH_MAX = 1_000;
    /** Jobs are claimed ahead for this time, in milliseconds. */
    static final long AHEAD_MILLIS = 50;
    /** How often the rate is computed again, in milliseconds. */
    private static final long WINDOW_MILLIS = 20;

    private final InstantSource time;
    private final AtomicLong ended = new AtomicLong();
    /** Used by the dispatching thread only, like all fields below. */
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

    /** How many jobs to claim ahead now. */
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
