package dev.treadle.enqueue;

import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import java.time.Clock;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Makes ids: UUIDs of version 7 for jobs, random numbers for nodes. Ids of one source never go back, also when the
 * clock does. Thread-safe if the random generator is.
 */
public final class IdSource {
    private static final int COUNTER_BITS = 12;

    private final InstantSource time;
    private final RandomGenerator random;
    /** Milliseconds since 1970 and a 12-bit counter below: one number that only grows. */
    private final AtomicLong last = new AtomicLong();

    /**
     * @param time   wall-clock time
     * @param random thread-safe source of the random tail; must be unpredictable only where ids must be
     */
    public IdSource(InstantSource time, RandomGenerator random) {
        this.time = time;
        this.random = random;
    }

    /** Ids by the wall clock. */
    public static IdSource real(RandomGenerator random) {
        return new IdSource(Clock.systemUTC(), random);
    }

    /** A new job id, greater than every id this source gave before. */
    public JobId nextJobId() {
        long now = time.millis() << COUNTER_BITS;
        long stamp = last.accumulateAndGet(now, (before, candidate) -> Math.max(before + 1, candidate));
        long high = stamp >>> COUNTER_BITS << 16 | 0x7000L | stamp & 0xFFFL;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new JobId(new UUID(high, low));
    }

    /** A new node id. */
    public NodeId nextNodeId() {
        return new NodeId(random.nextLong() & Long.MAX_VALUE);
    }
}
