package dev.treadle.simulation;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** All chance in one simulated world: the same seed throws the same numbers. */
final class Dice {
    private final RandomGenerator random;

    Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    RandomGenerator source() {
        return random;
    }

    /** True in {@code share} of all throws. */
    boolean chance(double share) {
        return share > 0 && random.nextDouble() < share;
    }

    /** From 0 to {@code limit}, exclusive. */
    int below(int limit) {
        return random.nextInt(limit);
    }

    /** From {@code least} to {@code most}, both inclusive. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    Duration millis(int least, int most) {
        return Duration.ofMillis(between(least, most));
    }

    <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
