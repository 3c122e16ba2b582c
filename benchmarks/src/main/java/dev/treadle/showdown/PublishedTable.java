package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The table in the shape in which the experiment was published, with the published figures beside ours. */
final class PublishedTable {
    /** JobRunr's write-up on Project Loom, 2020: 2,000 salary slips; heap in GB. */
    private static final List<String> COLUMNS =
            List.of("JDK 11 pool (published)", "JDK 16 pool (published)", "JDK 16 virtual (published)");

    static final String PUBLISHED = "(published)";
    static final int PUBLISHED_COLUMNS = 3;

    private static final List<String> PUBLISHED_SECONDS =
            List.of("140 / 132 / 139", "146 / 167 / 167", "151 / 139 / 137");
    private static final double[] PUBLISHED_SIZE_GB = {6.8, 4.6, 2.7};
    private static final double[] PUBLISHED_USED_GB = {4.7, 3.7, 2.37};
    private static final String NONE = "–";

    private final Findings.Group group;

    PublishedTable(Findings.Group group) {
        this.group = group;
    }

    List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("", COLUMNS, group.labels()));
        rows.add(row("permits", List.of(NONE, NONE, NONE), ours(series -> Units.count(series.permits()))));
        rows.add(row(
                "each run, s",
                PUBLISHED_SECONDS,
                ours(series -> Units.allSeconds(series.values(Figures::wallSeconds)))));
        rows.add(row(
                "heap size / peak used",
                published(i -> PUBLISHED_SIZE_GB[i] + " / " + PUBLISHED_USED_GB[i] + " GB"),
                ours(series -> Units.megabytes(series.median(Figures::heapSize)) + " / "
                        + Units.megabytes(series.median(Figures::usedPeak)) + " MB")));
        rows.add(row(
                "heap size, ratio",
                published(i -> Units.percent(PUBLISHED_SIZE_GB[i], PUBLISHED_SIZE_GB[0])),
                ratios(Figures::heapSize)));
        rows.add(row(
                "peak used, ratio",
                published(i -> Units.percent(PUBLISHED_USED_GB[i], PUBLISHED_USED_GB[0])),
                ratios(Figures::usedPeak)));
        rows.add(row(
                "virtual to this pool, size / used",
                published(i -> i == 2
                        ? NONE
                        : Units.percent(PUBLISHED_SIZE_GB[2], PUBLISHED_SIZE_GB[i]) + " / "
                                + Units.percent(PUBLISHED_USED_GB[2], PUBLISHED_USED_GB[i])),
                ours(this::virtualTo)));
        return rows;
    }

    private static List<String> row(String name, List<String> published, List<String> ours) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(published);
        row.addAll(ours);
        return row;
    }

    private interface Column {
        String text(int column);
    }

    private interface Ours {
        String text(Series series);
    }

    private static List<String> published(Column column) {
        return List.of(column.text(0), column.text(1), column.text(2));
    }

    private List<String> ours(Ours text) {
        List<String> ours = new ArrayList<>();
        for (int column = 0; column < group.labels().size(); column++) {
            ours.add(group.finished(column).map(text::text).orElse(NONE));
        }
        return ours;
    }

    private List<String> ratios(ToDoubleFunction<Figures> figure) {
        Optional<Series> first = group.finished(0);
        return ours(series -> first.map(base -> Units.percent(series.median(figure), base.median(figure)))
                .orElse(NONE));
    }

    private String virtualTo(Series series) {
        return group.finished(group.labels().size() - 1)
                .filter(virtual -> virtual != series)
                .map(virtual -> Units.percent(virtual.median(Figures::heapSize), series.median(Figures::heapSize))
                        + " / " + Units.percent(virtual.median(Figures::usedPeak), series.median(Figures::usedPeak)))
                .orElse(NONE);
    }
}
