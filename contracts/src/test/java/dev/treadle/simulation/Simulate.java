package dev.treadle.simulation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code --seed N} shows one seed step by step; {@code --seeds N [--from M]} runs many and stops at the first failure. */
final class Simulate {
    private static final String USAGE =
            "Use --seed N, or --seeds N [--from M]; and --transactions 1 for worlds with transactions, or --trees 1"
                    + " for worlds with jobs made of jobs.";
    static final String TRANSACTIONS = "--transactions";
    static final String TREES = "--trees";
    private static final Set<String> OPTIONS = Set.of("--seed", "--seeds", "--from", TRANSACTIONS, TREES);

    private Simulate() {}

    public static void main(String[] args) {
        Map<String, Long> given;
        try {
            given = parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        Mutant world = given.containsKey(TREES)
                ? Mutant.WITH_TREES
                : given.containsKey(TRANSACTIONS) ? Mutant.WITH_TRANSACTIONS : Mutant.NONE;
        boolean holds = Quiet.during(() -> given.containsKey("--seed")
                ? one(given.get("--seed"), world)
                : many(given.getOrDefault("--from", Batch.BASE), given.get("--seeds"), world));
        System.exit(holds ? 0 : 1);
    }

    /** @throws IllegalArgumentException with a sentence for people */
    static Map<String, Long> parse(String... args) {
        Map<String, Long> given = new TreeMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!OPTIONS.contains(args[i])) {
                throw new IllegalArgumentException("There is no option '" + args[i] + "'. " + USAGE);
            }
            try {
                given.put(args[i], Long.valueOf(i + 1 < args.length ? args[i + 1] : "nothing"));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(args[i] + " takes a whole number. " + USAGE, e);
            }
        }
        if (given.containsKey("--seed")
                ? given.containsKey("--seeds") || given.containsKey("--from")
                : !given.containsKey("--seeds")) {
            throw new IllegalArgumentException(USAGE);
        }
        if (given.getOrDefault("--seeds", 1L) < 1) {
            throw new IllegalArgumentException("--seeds takes 1 or more. " + USAGE);
        }
        if (given.containsKey(TREES) && given.containsKey(TRANSACTIONS)) {
            throw new IllegalArgumentException("A world has transactions or trees. " + USAGE);
        }
        return given;
    }

    private static boolean one(long seed, Mutant world) {
        Simulation.Result result = Simulation.run(seed, world, Integer.MAX_VALUE);
        result.trace().forEach(System.out::println);
        System.out.println(result.violation() == null ? "Seed " + seed + " holds." : Batch.report(result));
        return result.violation() == null;
    }

    private static boolean many(long from, long seeds, Mutant world) {
        Batch batch = new Batch(world);
        Simulation.Result failed = batch.run(from, seeds);
        System.out.println(failed == null ? batch.summary() : Batch.report(failed));
        return failed == null;
    }
}
