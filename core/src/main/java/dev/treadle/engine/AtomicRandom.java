package dev.treadle.engine;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Random numbers that many threads draw without waiting for each other, from a seed that cannot be guessed: the
 * SplitMix64 sequence (Steele, Lea and Flood, 2014), whose state is one number that only grows.
 */
final class AtomicRandom implements RandomGenerator {
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private final AtomicLong state = new AtomicLong(new SecureRandom().nextLong());

    @Override
    public long nextLong() {
        long z = state.addAndGet(GOLDEN_GAMMA);
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }
}
