package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures cells round by round, each in an empty database and a fresh JVM. For one thread. */
final class Runner {
    private final Databases databases;
    private final int rounds;
    private final Noise noise;
    private final PrintStream progress;
    private int failures;

    Runner(Databases databases, int rounds, Noise noise, PrintStream progress) {
        this.databases = databases;
        this.rounds = rounds;
        this.noise = noise;
        this.progress = progress;
    }

    List<Series> run(List<Cell> cells) {
        Map<Cell, Series> series = new LinkedHashMap<>();
        cells.forEach(cell -> series.put(cell, new Series(cell.workload(), cell.label())));
        for (int round = 1; round <= rounds; round++) {
            for (Cell cell : cells) {
                if (round > cell.roundsMax()) {
                    continue;
                }
                boolean noisy = noise.look();
                String what = cell.workload() + " " + cell.label() + " (" + round + "/" + rounds + "): ";
                try {
                    Sample sample = databases.with(cell, ChildJvm::measure);
                    series.get(cell).add(sample);
                    progress.println(what + headline(sample) + (noisy ? "  [noisy]" : ""));
                } catch (RuntimeException e) {
                    // what was measured of the others is worth keeping
                    failures++;
                    progress.println(what + "FAILED: " + e.getMessage());
                }
            }
        }
        return series.values().stream().filter(one -> one.rounds() > 0).toList();
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
