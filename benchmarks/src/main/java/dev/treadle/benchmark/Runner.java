package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures cells round by round, each in an empty database and a fresh JVM. For one thread. */
final class Runner {
    private final PrivatePostgres postgres;
    private final int rounds;
    private final Noise noise;
    private final PrintStream progress;
    private int runs;

    Runner(PrivatePostgres postgres, int rounds, Noise noise, PrintStream progress) {
        this.postgres = postgres;
        this.rounds = rounds;
        this.noise = noise;
        this.progress = progress;
    }

    List<Series> run(List<Cell> cells) {
        Map<Cell, Series> series = new LinkedHashMap<>();
        cells.forEach(cell -> series.put(cell, new Series(cell.workload(), cell.label())));
        for (int round = 1; round <= rounds; round++) {
            for (Cell cell : cells) {
                boolean noisy = noise.look();
                Sample sample = measure(cell);
                series.get(cell).add(sample);
                progress.println(cell.workload() + " " + cell.label() + " (" + round + "/" + rounds + "): "
                        + headline(sample) + (noisy ? "  [noisy]" : ""));
            }
        }
        return List.copyOf(series.values());
    }

    private Sample measure(Cell cell) {
        String name = "run_" + ++runs;
        String url = postgres.createDatabase(name);
        try {
            return ChildJvm.measure(
                    new Task(cell.kind(), cell.peer(), url, postgres.pid(), cell.jobs(), cell.params()));
        } finally {
            postgres.dropDatabase(name);
        }
    }

    private static String headline(Sample sample) {
        return Measure.headlines().stream()
                .filter(sample.values()::containsKey)
                .findFirst()
                .map(measure -> measure.text(sample.values().get(measure)) + " " + measure.column())
                .orElse("no result");
    }
}
