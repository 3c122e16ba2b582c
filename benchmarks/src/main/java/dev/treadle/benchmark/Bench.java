package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures what the command line asks for and prints a table, or lines for machines. */
final class Bench {
    private final BenchOptions options;
    private final PrintStream results;
    private final PrintStream progress;

    Bench(BenchOptions options, PrintStream results, PrintStream progress) {
        this.options = options;
        this.results = results;
        this.progress = progress;
    }

    /** @param arguments see {@link BenchOptions#USAGE} */
    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            System.out.print(BenchOptions.USAGE);
            return;
        }
        BenchOptions options;
        try {
            options = BenchOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(BenchOptions.USAGE);
            System.exit(2);
            return;
        }
        new Bench(options, System.out, System.err).run();
    }

    void run() {
        Noise noise = new Noise();
        noise.atStart().ifPresent(progress::println);
        try (Databases databases = new Databases()) {
            Runner runner = new Runner(databases, options.rounds(), noise, progress);
            for (List<Cell> group : new Plan(options).groups()) {
                report(runner.run(group));
            }
        }
        noise.atEnd().ifPresent(progress::println);
    }

    private void report(List<Series> all) {
        if (options.json()) {
            all.forEach(series -> results.println(JsonReport.line(series)));
            return;
        }
        Map<String, List<Series>> byWorkload = new LinkedHashMap<>();
        all.forEach(series -> byWorkload
                .computeIfAbsent(series.workload(), workload -> new ArrayList<>())
                .add(series));
        byWorkload.values().forEach(series -> {
            results.println();
            results.println(new TableReport(series).text());
        });
    }
}
