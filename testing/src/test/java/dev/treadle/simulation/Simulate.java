package dev.treadle.simulation;

import org.jspecify.annotations.Nullable;

/** {@code --seed N} shows one seed step by step; {@code --seeds N [--from M]} runs many and stops at the first failure. */
final class Simulate {
    private Simulate() {}

    public static void main(String[] args) {
        Long seed = option(args, "--seed");
        Long seeds = option(args, "--seeds");
        Long from = option(args, "--from");
        if (seed == null && seeds == null) {
            System.err.println("Use --seed N, or --seeds N [--from M].");
            System.exit(2);
        }
        boolean holds = Quiet.during(() -> seed != null ? one(seed) : many(from == null ? Batch.BASE : from, seeds));
        System.exit(holds ? 0 : 1);
    }

    private static boolean one(long seed) {
        Simulation.Result result = Simulation.run(seed, Mutant.NONE, Integer.MAX_VALUE);
        result.trace().forEach(System.out::println);
        System.out.println(result.violation() == null ? "Seed " + seed + " holds." : Batch.report(result));
        return result.violation() == null;
    }

    private static boolean many(long from, long seeds) {
        Batch batch = new Batch(Mutant.NONE);
        Simulation.Result failed = batch.run(from, seeds);
        System.out.println(failed == null ? batch.summary() : Batch.report(failed));
        return failed == null;
    }

    private static @Nullable Long option(String[] args, String name) {
        for (int i = 0; i + 1 < args.length; i++) {
            if (args[i].equals(name)) {
                return Long.valueOf(args[i + 1]);
            }
        }
        return null;
    }
}
