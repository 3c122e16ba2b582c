package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.List;

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
        boolean ended = false;
        try {
            int failures = new Bench(options, System.out, System.err).run();
            ended = true;
            System.exit(failures == 0 ? 0 : 1);
        } finally {
            if (!ended && Ending.hasBegun()) {
                Ending.await();
            }
        }
    }

    /** How many runs failed. */
    int run() {
        int failures = 0;
        Noise noise = new Noise();
        noise.atStart().ifPresent(progress::println);
        Reports reports = new Reports(options, results);
        try (Databases databases = new Databases()) {
            Runner runner = new Runner(databases, options, noise, progress);
            for (Group group : new Plan(options).groups()) {
                reports.print(runner.run(group));
            }
            failures = runner.failures();
        }
        if (options.subject().includes(BenchOptions.Subject.JMH)) {
            JmhRun.measure(options.forks(), options.quick()).forEach(series -> reports.print(List.of(series)));
        }
        reports.printContenders();
        noise.atEnd().ifPresent(progress::println);
        return failures;
    }
}
