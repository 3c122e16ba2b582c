package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Prints what was measured: tables with what has to be known to read them, or lines for machines. */
final class Reports {
    private final BenchOptions options;
    private final PrintStream out;

    Reports(BenchOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    void print(List<Series> all) {
        if (options.json()) {
            all.forEach(series -> out.println(JsonReport.line(series)));
        }
        Map<String, List<Series>> byWorkload = new LinkedHashMap<>();
        all.forEach(series -> byWorkload
                .computeIfAbsent(series.workload(), workload -> new ArrayList<>())
                .add(series));
        byWorkload.forEach((workload, series) -> {
            String table = new TableReport(series).text();
            List<String> notes = notes(workload, series);
            if (!options.json()) {
                out.println();
                out.println(table);
                notes.forEach(note -> out.println("- " + note));
                out.println("- " + rounds(series));
            }
            if (options.doc() != null) {
                List<String> lines = new ArrayList<>(List.of(table, ""));
                notes.forEach(note -> lines.add("- " + note));
                lines.add("- " + rounds(series) + "; " + Machine.line());
                new PerformancePage(options.doc()).put(workload, lines);
            }
        });
        out.flush();
    }

    private static String rounds(List<Series> all) {
        int runs = all.stream().mapToInt(Series::rounds).sum();
        int noisy = all.stream().mapToInt(Series::noisyRounds).sum();
        int rounds = all.get(0).rounds();
        return (rounds == 1 ? "one round" : "medians of " + rounds + " rounds")
                + (noisy == 0 ? "" : "; others used the machine in " + noisy + " of " + runs + " runs");
    }

    private static List<String> notes(String workload, List<Series> all) {
        return Stream.concat(
                        Stream.of(LoomExperiment.values())
                                .filter(experiment -> experiment.workload().equals(workload))
                                .map(LoomExperiment::published),
                        Stream.of(Peer.values())
                                .filter(peer -> all.stream()
                                        .anyMatch(series -> series.peer().equals(peer.id())))
                                .filter(peer -> !workload.startsWith("jmh-"))
                                .map(peer -> peer.id() + ": " + peer.settings() + "; keeps " + peer.keeps()))
                .toList();
    }
}
