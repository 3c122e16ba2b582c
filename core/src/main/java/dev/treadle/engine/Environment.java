package dev.treadle.engine;

import dev.treadle.maintenance.NodeMetrics;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The clocks, the randomness and the machine of a node. They are passed in so that a test can replace them.
 *
 * @param time    never goes back; only differences matter, because the storage's clock decides what is due
 * @param random  thread-safe
 * @param wall    the wall clock: it may jump, and goes on while the machine is suspended
 * @param machine what the node runs on; null if the node reports nothing about it
 */
public record Environment(
        InstantSource time, RandomGenerator random, InstantSource wall, NodeMetrics.@Nullable Machine machine) {
    /** Any will do: what matters is that a test meets the same ids and delays each time. */
    private static final long MANUAL_SEED = 42;

    /** An environment without a machine, whose wall clock never jumps. */
    public Environment(InstantSource time, RandomGenerator random) {
        this(time, random, time, null);
    }

    /**
     * The environment of a server without threads, with the same random numbers each time.
     *
     * @param time the time of the test
     */
    public static Environment manual(InstantSource time) {
        return new Environment(time, new Random(MANUAL_SEED));
    }

    /** The environment of a running server: time that never goes back, and random numbers from an unpredictable seed. */
    public static Environment real() {
        return new Environment(
                new SteadyTime(),
                new AtomicRandom(),
                Clock.systemUTC(),
                JdkManagement.areThere() ? new ThisJvm() : null);
    }
}
