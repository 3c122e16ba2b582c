package dev.treadle.showdown;

import dev.treadle.benchmark.Stats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All rounds of one contender with one renderer and as many permits. */
final class Series {
    private final List<RunRow> rows = new ArrayList<>();
    private final List<Figures> finished = new ArrayList<>();
    private final List<RunRow> finishedRows = new ArrayList<>();

    private Series() {}

    /** In the order in which they first ran. */
    static List<Series> of(RawFolder raw) {
        Map<String, Series> all = new LinkedHashMap<>();
        for (RunRow row : raw.runs()) {
            Series series = all.computeIfAbsent(
                    row.contender() + "/" + row.renderer() + "/" + row.permits(), key -> new Series());
            series.rows.add(row);
            if (row.finished()) {
                series.finishedRows.add(row);
                series.finished.add(Figures.of(row, raw.samples(row.run()), raw.collections(row.run())));
            }
        }
        return List.copyOf(all.values());
    }

    String contender() {
        return rows.get(0).contender();
    }

    String renderer() {
        return rows.get(0).renderer();
    }

    int permits() {
        return rows.get(0).permits();
    }

    boolean byDefault() {
        return rows.get(0).byDefault();
    }

    List<RunRow> rows() {
        return rows;
    }

    boolean hasFinished() {
        return !finished.isEmpty();
    }

    /** Of the rounds that finished. */
    double median(ToDoubleFunction<Figures> figure) {
        return Stats.median(values(figure));
    }

    double[] values(ToDoubleFunction<Figures> figure) {
        return finished.stream().mapToDouble(figure).toArray();
    }

    /** The round with the median time, for those who want to see one. */
    RunRow typical() {
        List<RunRow> sorted = finishedRows.stream()
                .sorted(Comparator.comparingLong(RunRow::wallMillis))
                .toList();
        return sorted.get((sorted.size() - 1) / 2);
    }
}
