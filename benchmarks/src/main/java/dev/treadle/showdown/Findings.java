package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the files of a showdown come to: sections with sentences, tables and curves. */
final class Findings {
    private static final String MACHINE = "machine";
    private static final String NONE = "–";
    /** What others may use before figures have to be doubted, in thousandths of the machine. */
    private static final int QUIET_PERMILLE = 100;

    private final RawFolder raw;
    private final List<Series> all;
    private final List<String> contenders;

    Findings(RawFolder raw) {
        this.raw = raw;
        this.all = Series.of(raw);
        this.contenders = raw.facts().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !name.equals(MACHINE))
                .toList();
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        List<Group> groups = groups();
        sections.addAll(new CurveTable(raw.curve()).sections());
        List<String> seen = seen(groups);
        if (!seen.isEmpty() || sections.isEmpty()) {
            sections.add(Section.of("What is seen", seen, List.of()));
        }
        groups.forEach(group -> sections.add(section(group)));
        if (!all.isEmpty()) {
            sections.add(costs());
        }
        sections.addAll(new SmallestTable(raw.smallest()).sections());
        sections.add(Section.of("How it is measured", method(), List.of()));
        return sections;
    }

    /** The date and the machine. */
    String subtitle() {
        return raw.facts().stream()
                .filter(fact -> fact.getKey().equals(MACHINE))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    /** One table in the published shape: the three contenders with one renderer and the same rule for permits. */
    record Group(String renderer, boolean equal, List<String> labels, Map<String, Series> byContender) {
        Optional<Series> finished(int column) {
            return Optional.ofNullable(byContender.get(labels.get(column))).filter(Series::hasFinished);
        }

        String title() {
            return (renderer.equals("fop") ? "FOP" : "docx4j for each slip") + ", "
                    + (equal ? "equal permits" : "each executor's own permits");
        }
    }

    private List<Group> groups() {
        return all.stream()
                .map(Series::renderer)
                .distinct()
                .flatMap(renderer -> Stream.of(false, true).map(equal -> group(renderer, equal)))
                .filter(group -> !group.byContender().isEmpty())
                .toList();
    }

    private Group group(String renderer, boolean equal) {
        return new Group(
                renderer,
                equal,
                contenders,
                all.stream()
                        .filter(series -> series.renderer().equals(renderer))
                        .filter(series -> equal ? series.permits() == Plan.EQUAL_PERMITS : series.byDefault())
                        .collect(Collectors.toMap(Series::contender, Function.identity())));
    }

    private List<String> seen(List<Group> groups) {
        List<String> seen = new ArrayList<>();
        groups.forEach(group -> seen.addAll(new Comparison(group).sentences()));
        all.stream()
                .flatMap(series -> series.rows().stream())
                .filter(row -> !row.finished())
                .map(row -> "Round " + row.round() + " of " + row.contender() + " with " + row.renderer() + " and "
                        + Units.count(row.permits()) + " permits did not finish: "
                        + row.fate().printed() + ", " + row.how()
                        + "; " + Units.count(row.slips()) + " of " + Units.count(row.employees())
                        + " slips were there.")
                .forEach(seen::add);
        all.stream()
                .flatMap(series -> series.rows().stream())
                .filter(row -> row.finished() && !row.isWhole())
                .map(row -> "Round " + row.round() + " of " + row.contender() + " with " + row.renderer() + " and "
                        + Units.count(row.permits()) + " permits was not watched to its end (" + row.unwatched()
                        + "): its heap, processor time and threads are those until then. Measure it again.")
                .forEach(seen::add);
        int others = (int) all.stream()
                .flatMap(series -> series.rows().stream())
                .mapToLong(RunRow::othersPermille)
                .max()
                .orElse(0);
        if (others > QUIET_PERMILLE) {
            seen.add("Others used up to " + others / 10
                    + " % of the machine during a run: its time, and the heap that a busy collector"
                    + " takes, depend on that. Measure again on a quiet machine before you rely on a difference.");
        }
        raw.facts().stream()
                .filter(fact -> fact.getValue().startsWith("missing"))
                .map(fact -> fact.getKey() + ": " + fact.getValue() + ", so its column is empty.")
                .forEach(seen::add);
        return seen;
    }

    private Section section(Group group) {
        List<List<String>> table = new PublishedTable(group).rows();
        List<Section.Curve> curves = Stream.iterate(0, column -> column + 1)
                .limit(contenders.size())
                .flatMap(column -> group.finished(column).stream())
                .map(series -> new Section.Curve(
                        series.contender() + ", " + Units.count(series.permits()) + " permits",
                        raw.samples(series.typical().run())))
                .filter(curve -> !curve.samples().isEmpty())
                .toList();
        RunRow any = group.byContender().values().iterator().next().rows().get(0);
        String text =
                Units.count(any.employees()) + " slips, each waits " + any.timeClock() + " for the time clock; -Xmx"
                        + any.heap() + "m. Ratios are to the first column of the same experiment. "
                        + (group.equal()
                                ? "Every executor runs up to " + Units.count(Plan.EQUAL_PERMITS) + " jobs at once."
                                : "Each executor runs as many jobs at once as it does by default.");
        return new Section(group.title(), List.of(text), table, curves, List.of());
    }

    private Section costs() {
        List<List<String>> table = new ArrayList<>(List.of(List.of(
                "contender",
                "renderer",
                "permits",
                "wall s",
                "heap size MB",
                "peak used MB",
                "live max MB",
                "live end MB",
                "allocated MB/slip",
                "CPU s",
                "threads",
                "jobs at once",
                "pauses",
                "paused ms",
                "resident MB",
                "others used")));
        for (Series series : all) {
            List<String> row =
                    new ArrayList<>(List.of(series.contender(), series.renderer(), Units.count(series.permits())));
            if (series.hasFinished()) {
                row.add(Units.seconds(series.median(Figures::wallSeconds)));
                row.add(Units.megabytes(series.median(Figures::heapSize)));
                row.add(Units.megabytes(series.median(Figures::usedPeak)));
                row.add(Units.megabytes(series.median(Figures::liveMax)));
                row.add(Units.megabytes(series.median(Figures::liveEnd)));
                row.add(Units.megabytes(series.median(Figures::allocatedPerSlip)));
                row.add(Units.seconds(series.median(Figures::cpuSeconds)));
                row.add(Units.count(series.median(Figures::threads)));
                row.add(Units.count(series.median(Figures::running)));
                row.add(Units.count(series.median(Figures::collections)));
                row.add(Units.count(series.median(Figures::pausesMillis)));
                row.add(Units.megabytes(series.median(Figures::residentBytes)));
                row.add(Units.percent(
                        series.rows().stream()
                                .mapToLong(RunRow::othersPermille)
                                .max()
                                .orElse(0),
                        1_000));
            } else {
                while (row.size() < table.get(0).size()) {
                    row.add(NONE);
                }
            }
            table.add(row);
        }
        return Section.of(
                "What each run costs",
                List.of(
                        "Medians of the rounds that finished; \"others used\" is the part of the machine that others used in the"
                                + " worst round."),
                table);
    }

    private List<String> method() {
        List<String> method = new ArrayList<>();
        raw.facts().stream()
                .filter(fact -> !fact.getKey().equals(MACHINE))
                .map(fact -> fact.getKey() + ": " + fact.getValue())
                .forEach(method::add);
        method.add(
                "Each run has a JVM of its own: G1, the same -Xmx, -Xms64m. It makes some slips to warm up, collects all garbage,"
                        + " and begins. It ends when the last PDF has been written. Rounds are interleaved.");
        method.add(
                "Heap size is what the JVM holds (committed), used is what is in use, garbage included: what VisualVM draws. Both are"
                        + " sampled from outside over JMX every " + Sampler.EVERY_MILLIS
                        + " ms, as are processor time and platform threads;"
                        + " virtual threads are no threads of that count. What is sampled after a run's end does not count.");
        method.add(
                "Live and allocated are from the flight recorder: what collections left, and what was there again before the next one,"
                        + " summed from the full collection before the run to the one after it, divided by the slips.");
        method.add(
                "However many jobs run at once, no more slips are rendered at once than there are cores; the others wait.");
        method.add(
                "The published run had another machine, other work and a scheduler that looked for jobs every 15 s. Only ratios"
                        + " can be compared, and its times not at all.");
        return method;
    }
}
