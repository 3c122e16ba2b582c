package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Measures cells round by round, each in an empty database and a fresh JVM. For one thread. */
final class Runner {
    private final Databases databases;
    private final BenchOptions options;
    private final Noise noise;
    private final PrintStream progress;
    private final long began = System.nanoTime();
    private int failures;

    Runner(Databases databases, BenchOptions options, Noise noise, PrintStream progress) {
        this.databases = databases;
        this.options = options;
        this.noise = noise;
        this.progress = progress;
    }

    List<Series> run(Group group) {
        List<Cell> cells = group.cells();
        int rounds = options.roundsOf(group);
        Map<Cell, Series> series = new LinkedHashMap<>();
        cells.forEach(cell -> series.put(cell, new Series(cell.workload(), cell.label())));
        for (int round = 1; round <= rounds && (round == 1 || !isLate()); round++) {
            for (Cell cell : cells) {
                if (round > cell.roundsMax()) {
                    continue;
                }
                noise.begin(databases.postmaster());
                String what = cell.workload() + " " + cell.label() + " (" + round + "/" + rounds + "): ";
                try {
                    Sample sample = databases.with(cell, ChildJvm::measure);
                    boolean noisy = noise.end(databases.postmaster());
                    series.get(cell).add(cell.published().map(sample::with).orElse(sample), noisy);
                    progress.println(what + headline(sample) + (noisy ? "  [noisy]" : ""));
                } catch (RuntimeException e) {
                    if (Ending.hasBegun()) {
                        Ending.await();
                    }
                    // what was measured of the others is worth keeping
                    failures++;
                    progress.println(what + "FAILED: " + e.getMessage());
                }
            }
        }
        List<Series> measured =
                series.values().stream().filter(one -> one.rounds() > 0).toList();
        measured.forEach(one -> base(one, measured).ifPresent(base -> one.compareWith(base)));
        return measured;
    }

    /** Whether the time for everything is up, so that nothing is repeated any more. */
    private boolean isLate() {
        return options.isBounded() && System.nanoTime() - began > BenchOptions.REPEAT_UNTIL.toNanos();
    }

    private static Optional<Series> base(Series one, List<Series> measured) {
        return Plan.base(one.workload())
                .flatMap(workload -> measured.stream()
                        .filter(other -> other.workload().equals(workload)
                                && other.peer().equals(one.peer()))
                        .findFirst());
    }

    /** How many runs gave no result. */
    int failures() {
        return failures;
    }

    private static String headline(Sample sample) {
        return Measure.headlines().stream()
                .filter(sample.values()::containsKey)
                .findFirst()
                .map(measure -> measure.text(sample.values().get(measure)) + " " + measure.column())
                .orElse("no result");
    }
}
