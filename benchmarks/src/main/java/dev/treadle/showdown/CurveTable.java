package dev.treadle.showdown;

import dev.treadle.benchmark.Stats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is said of the time that all slips take in each heap: for each renderer sentences, a table and a drawing. */
final class CurveTable {
    private static final String NONE = "–";
    /** A difference up to this is none on a machine that others use too. */
    private static final double SAME_WITHIN = 0.05;

    private final List<CurveRow> rows;

    CurveTable(List<CurveRow> rows) {
        this.rows = rows;
    }

    List<Section> sections() {
        return rows.stream()
                .map(CurveRow::renderer)
                .distinct()
                .map(renderer -> section(
                        renderer,
                        rows.stream()
                                .filter(row -> row.renderer().equals(renderer))
                                .toList()))
                .toList();
    }

    private static Section section(String renderer, List<CurveRow> rows) {
        List<Line> lines = lines(rows);
        List<Integer> heaps = rows.stream()
                .map(CurveRow::heap)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
        List<String> text = new ArrayList<>();
        text.addAll(besideThePool(lines));
        text.addAll(guarded(lines));
        text.add(about(rows));
        return new Section(
                (renderer.equals("fop") ? "FOP" : "docx4j for each slip") + ": how long it takes in which heap",
                text,
                table(lines, heaps),
                List.of(),
                lines.stream()
                        .map(line -> new Section.Line(line.label(), line.points()))
                        .filter(line -> !line.points().isEmpty())
                        .toList());
    }

    /** All rounds of one executor, with the guard or without. */
    private record Line(List<CurveRow> rows) {
        CurveRow any() {
            return rows.get(0);
        }

        String label() {
            return any().line();
        }

        List<CurveRow> at(int heap) {
            return rows.stream().filter(row -> row.heap() == heap).toList();
        }

        /** Of the rounds that finished. */
        Optional<Double> seconds(int heap) {
            double[] seconds = at(heap).stream()
                    .filter(CurveRow::finished)
                    .mapToDouble(row -> row.wallMillis() / 1_000.0)
                    .toArray();
            return seconds.length == 0 ? Optional.empty() : Optional.of(Stats.median(seconds));
        }

        List<Integer> heaps() {
            return rows.stream()
                    .map(CurveRow::heap)
                    .distinct()
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }

        List<Section.Point> points() {
            return heaps().stream()
                    .filter(heap -> seconds(heap).isPresent())
                    .map(heap -> new Section.Point(heap, seconds(heap).orElseThrow()))
                    .sorted(Comparator.comparingDouble(Section.Point::megabytes))
                    .toList();
        }

        boolean isThat(String executor, boolean guarded) {
            return any().executor().equals(executor) && any().guarded() == guarded && any().byDefault();
        }
    }

    private static List<Line> lines(List<CurveRow> rows) {
        return rows.stream()
                .map(CurveRow::line)
                .distinct()
                .sorted()
                .map(label -> new Line(
                        rows.stream().filter(row -> row.line().equals(label)).toList()))
                .toList();
    }

    private static List<List<String>> table(List<Line> lines, List<Integer> heaps) {
        List<List<String>> table = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("seconds in"));
        heaps.forEach(heap -> names.add(Units.count(heap) + " MB"));
        table.add(names);
        for (Line line : lines) {
            List<String> row = new ArrayList<>(List.of(line.label()));
            heaps.forEach(heap -> row.add(cell(line, heap)));
            table.add(row);
        }
        return table;
    }

    private static String cell(Line line, int heap) {
        List<CurveRow> rounds = line.at(heap);
        Optional<CurveRow> failed =
                rounds.stream().filter(row -> !row.finished()).findFirst();
        long finished = rounds.stream().filter(CurveRow::finished).count();
        String seconds = line.seconds(heap).map(Units::seconds).orElse("");
        if (failed.isEmpty()) {
            return rounds.isEmpty() ? NONE : seconds;
        }
        String fate = failed.get().fate().printed();
        return finished == 0 ? fate : seconds + " in " + finished + " of " + rounds.size() + " rounds, else " + fate;
    }

    /** The pool of the published experiment where it has all the heap it wants, and virtual threads in as much and in less. */
    private static List<String> besideThePool(List<Line> lines) {
        Optional<Line> pool = last(lines, "pool", false);
        Optional<Line> virtual = last(lines, "virtual", false);
        if (pool.isEmpty() || virtual.isEmpty()) {
            return List.of();
        }
        int most = pool.get().heaps().get(0);
        Optional<Double> poolSeconds = pool.get().seconds(most);
        int held = pool.get().at(most).stream()
                .filter(CurveRow::finished)
                .mapToInt(CurveRow::heapSize)
                .min()
                .orElse(0);
        if (poolSeconds.isEmpty() || held == 0) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        for (int heap : virtual.get().heaps()) {
            virtual.get()
                    .seconds(heap)
                    .ifPresent(seconds -> words.add(Units.seconds(seconds) + " s in " + Units.count(heap) + " MB ("
                            + Units.percent(heap, held) + " of that heap, " + timesOf(seconds, poolSeconds.get())
                            + ")"));
        }
        return words.isEmpty()
                ? List.of()
                : List.of(pool.get().label() + " takes " + Units.seconds(poolSeconds.get()) + " s and holds "
                        + Units.count(held) + " MB of heap where it may have " + Units.count(most) + " MB. "
                        + virtual.get().label() + " takes " + String.join("; ", words) + ".");
    }

    private static Optional<Line> last(List<Line> lines, String executor, boolean guarded) {
        return lines.stream().filter(line -> line.isThat(executor, guarded)).reduce((first, second) -> second);
    }

    private static String timesOf(double seconds, double others) {
        return seconds <= others
                ? String.format(Locale.ROOT, "%.1f times the speed", others / seconds)
                : String.format(Locale.ROOT, "%.1f times the time", seconds / others);
    }

    /** What the heap guard costs where nobody needs it, and where it is what finishes. */
    private static List<String> guarded(List<Line> lines) {
        List<String> sentences = new ArrayList<>();
        for (Line with : lines) {
            lines.stream()
                    .filter(line -> with.any().guarded()
                            && !line.any().guarded()
                            && line.any().contender().equals(with.any().contender())
                            && line.any().permits() == with.any().permits())
                    .findFirst()
                    .ifPresent(without -> sentences.add(guarded(with, without)));
        }
        return sentences;
    }

    private static String guarded(Line with, Line without) {
        List<String> words = new ArrayList<>();
        for (int heap : with.heaps()) {
            if (without.at(heap).isEmpty()) {
                continue;
            }
            Optional<Double> ours = with.seconds(heap);
            Optional<Double> theirs = without.seconds(heap);
            String said = ours.isPresent() && theirs.isPresent()
                    ? Units.seconds(ours.get()) + " s instead of " + Units.seconds(theirs.get()) + " s ("
                            + difference(ours.get(), theirs.get()) + ")"
                    : "with it " + cell(with, heap) + ", without it " + cell(without, heap);
            words.add("in " + Units.count(heap) + " MB " + said);
        }
        return words.isEmpty()
                ? with.label() + ": nothing to compare with."
                : with.label() + ": " + String.join("; ", words) + ".";
    }

    private static String difference(double ours, double theirs) {
        if (Math.abs(ours / theirs - 1) <= SAME_WITHIN) {
            return "the same within 5 %";
        }
        return ours < theirs
                ? String.format(Locale.ROOT, "%.0f %% less", 100 * (1 - ours / theirs))
                : String.format(Locale.ROOT, "%.0f %% more", 100 * (ours / theirs - 1));
    }

    private static String about(List<CurveRow> rows) {
        CurveRow any = rows.get(0);
        int rounds = rows.stream().mapToInt(CurveRow::round).max().orElse(1);
        long others = rows.stream().mapToLong(CurveRow::othersPermille).max().orElse(0);
        return Units.count(any.employees()) + " slips, each waits " + any.timeClock() + " for the time clock; " + rounds
                + (rounds == 1 ? " round" : " rounds, medians")
                + ". Each run in a JVM of its own with this -Xmx, not warmed up and not watched, from its begin until its last PDF."
                + " Others used " + others / 10 + " % of the machine in the worst run.";
    }
}
