package dev.treadle.simulation;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Many seeds, one after the other, until one fails. */
final class Batch {
    /** The first seed of every build, so that builds can be repeated. */
    static final long BASE = 1_000_000;
    /** How many events a failure shows. */
    private static final int KEEP = 60;
    /** One seed in so many is run twice, and must do the same both times. */
    private static final int TWICE_EVERY = 100;

    private final Mutant mutant;
    private final Map<Sometimes, Integer> reached = new EnumMap<>(Sometimes.class);
    private long seeds;
    private long simulatedNanos;
    private long tookNanos;
    private long slowestHealing;
    private long slowestSeed;

    Batch(Mutant mutant) {
        this.mutant = mutant;
    }

    /** The first seed that fails; null if all hold. */
    Simulation.@Nullable Result run(long from, long count) {
        long began = System.nanoTime();
        try {
            for (long seed = from; seed < from + count; seed++) {
                Simulation.Result result = Simulation.run(seed, mutant, KEEP);
                seeds++;
                simulatedNanos += result.nanos();
                if (result.violation() != null) {
                    return result;
                }
                if (result.healing() > slowestHealing) {
                    slowestHealing = result.healing();
                    slowestSeed = seed;
                }
                result.reached().forEach((what, times) -> reached.merge(what, times, Integer::sum));
                if (seed % TWICE_EVERY == 0) {
                    demandSame(result, Simulation.run(seed, mutant, KEEP));
                }
            }
            return null;
        } finally {
            tookNanos += System.nanoTime() - began;
        }
    }

    private static void demandSame(Simulation.Result first, Simulation.Result second) {
        if (first.hash() != second.hash()) {
            throw new AssertionError("Seed " + first.seed() + " does not do the same when it is run again.");
        }
    }

    long seeds() {
        return seeds;
    }

    Map<Sometimes, Integer> reached() {
        return reached;
    }

    String summary() {
        double seconds = tookNanos / 1e9;
        return String.format(
                "%,d seeds hold: %.1f s, %,.0f seeds/s, %.1f h simulated, slowest healing %.1f s (seed %d)%n%s",
                seeds, seconds, seeds / seconds, simulatedNanos / 3.6e12, slowestHealing / 1e9, slowestSeed, reached);
    }

    static String report(Simulation.Result failed) {
        return String.join(System.lineSeparator(), failed.trace())
                + System.lineSeparator()
                + (failed.violation() == null ? "" : failed.violation().getMessage())
                + System.lineSeparator()
                + "seed " + failed.seed() + "; to see all of it: ./treadle simulate --seed " + failed.seed()
                + failed.option();
    }
}
