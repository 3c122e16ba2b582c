package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One workload as a Markdown table that is also laid out for a terminal. */
final class TableReport {
    private static final String MISSING = "–";

    private final List<Series> all;
    private final List<Measure> columns;
    private final Series reference;

    /** @param all contenders of one workload, the one that ratios refer to first */
    TableReport(List<Series> all) {
        this.all = all;
        this.reference = all.get(0);
        this.columns = Arrays.stream(Measure.values())
                .filter(measure -> all.stream().anyMatch(series -> series.has(measure)))
                .toList();
    }

    String text() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head());
        all.forEach(series -> rows.add(row(series)));
        int[] widths = new int[rows.get(0).size()];
        rows.forEach(row -> {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        List<String> lines = new ArrayList<>();
        rows.forEach(row -> lines.add(line(row, widths)));
        lines.add(1, rule(widths));
        return String.join("\n", lines);
    }

    private List<String> head() {
        List<String> head = new ArrayList<>(List.of(reference.workload()));
        for (Measure measure : columns) {
            head.add(measure.column());
            if (Measure.headlines().contains(measure)) {
                head.add("min-max");
                head.add("ratio");
            }
        }
        return head;
    }

    private List<String> row(Series series) {
        List<String> row = new ArrayList<>(List.of(series.peer()));
        for (Measure measure : columns) {
            boolean has = series.has(measure);
            row.add(has ? measure.text(series.median(measure)) : MISSING);
            if (Measure.headlines().contains(measure)) {
                row.add(has ? range(series, measure) : MISSING);
                row.add(has && reference.has(measure) ? ratio(series, measure) : MISSING);
            }
        }
        return row;
    }

    private static String range(Series series, Measure measure) {
        double[] values = series.values(measure);
        return measure.text(Stats.min(values)) + "-" + measure.text(Stats.max(values));
    }

    private String ratio(Series series, Measure measure) {
        double ratio = series.median(measure) / reference.median(measure);
        return String.format(Locale.ROOT, ratio < 0.1 ? "%.3f" : "%.2f", ratio);
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < row.size(); i++) {
            String pad = " ".repeat(widths[i] - row.get(i).length());
            line.append(' ')
                    .append(i == 0 ? row.get(i) + pad : pad + row.get(i))
                    .append(" |");
        }
        return line.toString();
    }

    private static String rule(int[] widths) {
        StringBuilder rule = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            rule.append("-".repeat(widths[i] + 1)).append(i == 0 ? "-" : ":").append('|');
        }
        return rule.toString();
    }
}
