package dev.treadle.benchmark;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Prints what was measured: tables with what has to be known to read them, or lines for machines. */
final class Reports {
    private final BenchOptions options;
    private final PrintStream out;
    private final Set<Peer> seen = EnumSet.noneOf(Peer.class);

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
            List<String> lines = new ArrayList<>(List.of(new TableReport(series).text(), ""));
            published(workload).ifPresent(text -> lines.add("- " + text));
            lines.add("- " + rounds(series));
            if (!options.json()) {
                out.println();
                lines.forEach(out::println);
            }
            if (options.doc() != null) {
                lines.set(lines.size() - 1, lines.get(lines.size() - 1) + "; " + Machine.line());
                new PerformancePage(options.doc()).put(workload, lines);
            }
            if (!workload.startsWith("jmh-")) {
                series.forEach(one -> Peer.find(one.peer()).ifPresent(seen::add));
            }
        });
        out.flush();
    }

    /** Says, after all tables, who was measured: how each is set up and what it keeps. */
    void printContenders() {
        List<String> lines = seen.stream()
                .map(peer -> "- " + peer.id() + ": " + peer.settings() + "; keeps " + peer.keeps())
                .toList();
        if (!options.json() && !lines.isEmpty()) {
            out.println();
            lines.forEach(out::println);
        }
        // why not of a few: the page describes them all, also those not measured again
        if (options.doc() != null && options.subject() == BenchOptions.Subject.ALL && options.peers()) {
            new PerformancePage(options.doc()).put("contenders", lines);
        }
        out.flush();
    }

    private static String rounds(List<Series> all) {
        int runs = all.stream().mapToInt(Series::rounds).sum();
        int noisy = all.stream().mapToInt(Series::noisyRounds).sum();
        int rounds = all.get(0).rounds();
        return (rounds == 1 ? "one round" : "medians of " + rounds + " rounds")
                + (noisy == 0 ? "" : "; others used the machine in " + noisy + " of " + runs + " runs");
    }

    private static Optional<String> published(String workload) {
        return Stream.of(LoomExperiment.values())
                .filter(experiment -> experiment.workload().equals(workload))
                .map(LoomExperiment::published)
                .findFirst()
                .or(() -> Optional.of(JdbcPlan.published(workload) + FlowPlan.note(workload))
                        .filter(text -> !text.isEmpty()));
    }
}
