package dev.treadle.server;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What a node takes from outside instead of from the air, so that a test can be the world.
 *
 * @param time   never goes back; only spans of it matter, since the storage's clock decides what is due
 * @param random thread-safe
 */
public record World(InstantSource time, RandomGenerator random) {
    /** The real one: time that never jumps, random numbers that nobody can guess the start of. */
    public static World real() {
        return new World(new SteadyTime(), new AtomicRandom());
    }
}
