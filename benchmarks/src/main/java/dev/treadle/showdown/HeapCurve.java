package dev.treadle.showdown;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures how long all slips take in each heap. What has been measured into the same folder is not measured again, so a
 * long measurement can be done in pieces, and several of them beside each other.
 */
final class HeapCurve {
    private final CurvePlan points;
    private final Plan plan;
    private final ShowdownOptions options;
    private final Track track;
    private final RawFolder raw;
    private final PrintStream progress;
    private final long began = System.nanoTime();

    HeapCurve(CurvePlan points, Plan plan, ShowdownOptions options, Track track, RawFolder raw, PrintStream progress) {
        this.points = points;
        this.plan = plan;
        this.options = options;
        this.track = track;
        this.raw = raw;
        this.progress = progress;
    }

    /** Whether nothing is left to measure. */
    boolean measure() throws IOException, InterruptedException {
        List<CurvePlan.Point> left = left();
        say(left);
        boolean first = true;
        while (!left.isEmpty()) {
            List<CurvePlan.Point> inTime =
                    first ? left : left.stream().filter(this::isInTime).toList();
            if (inTime.isEmpty()) {
                progress.printf(
                        Locale.ROOT,
                        "%d minutes are over, and %d runs are left: the same command goes on with them.%n",
                        options.curve().minutes(),
                        left.size());
                return false;
            }
            first = false;
            measure(inTime.get(0), left.size());
            // the first run may tell which others there are, and another process may have measured some by now
            left = left();
        }
        return true;
    }

    private boolean isInTime(CurvePlan.Point point) {
        Duration end = Duration.ofNanos(System.nanoTime() - began).plus(plan.estimate(point.setup(), 0));
        return end.compareTo(Duration.ofMinutes(options.curve().minutes())) <= 0;
    }

    private List<CurvePlan.Point> left() {
        List<CurveRow> rows = raw.curve();
        Set<String> measured = rows.stream().map(CurveRow::run).collect(Collectors.toSet());
        return points.points(rows, raw.smallest()).stream()
                .filter(point -> !measured.contains(point.id()))
                .toList();
    }

    private void measure(CurvePlan.Point point, int left) throws IOException, InterruptedException {
        Setup setup = point.setup();
        int cores = Runtime.getRuntime().availableProcessors();
        boolean byDefault = setup.permits() == setup.contender().defaultPermits(cores);
        progress.printf(Locale.ROOT, "  %d left  %-44s -Xmx%-5s ", left, setup.id(), point.heap() + "m");
        progress.flush();
        CurveRow row = track.time(point, byDefault, plan.limit(setup, 0));
        progress.println(
                row.finished()
                        ? String.format(Locale.ROOT, "%.1f s", row.wallMillis() / 1_000.0)
                        : row.fate().printed() + ", " + row.how());
    }

    private void say(List<CurvePlan.Point> left) {
        Duration all =
                left.stream().map(point -> plan.estimate(point.setup(), 0)).reduce(Duration.ZERO, Duration::plus);
        progress.printf(
                Locale.ROOT,
                "%d runs of %d slips are left: %d min %02d s at least, and a small heap takes longer. Ctrl-C ends it.%n",
                left.size(),
                options.employees(),
                all.toMinutes(),
                all.toSecondsPart());
    }
}
