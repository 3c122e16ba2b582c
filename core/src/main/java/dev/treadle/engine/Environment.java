package dev.treadle.engine;

import dev.treadle.maintenance.NodeMetrics;
import java.time.Clock;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The clocks, the randomness and the machine of a node. They are passed in so that a test can replace them.
 *
 * @param time    never goes back; only spans of it matter, since the storage's clock decides what is due
 * @param random  thread-safe
 * @param wall    what the clock on the wall says: it may jump, and goes on while the machine is suspended
 * @param machine what the node runs on; null if it is not to tell of it
 */
public record Environment(
        InstantSource time, RandomGenerator random, InstantSource wall, NodeMetrics.@Nullable Machine machine) {
    /** An environment without a machine, whose wall clock never jumps. */
    public Environment(InstantSource time, RandomGenerator random) {
        this(time, random, time, null);
    }

    /** The real one: time that never jumps, random numbers that nobody can guess the start of. */
    public static Environment real() {
        return new Environment(
                new SteadyTime(),
                new AtomicRandom(),
                Clock.systemUTC(),
                JdkManagement.areThere() ? new ThisJvm() : null);
    }
}
