package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which points of the curve of time over heap are measured, and in which order. */
final class CurvePlan {
    /** Whose own peak the heaps are measured by: the published experiment's pool, on the newest JDK. */
    private static final String YARDSTICK = "pool";

    private final ShowdownOptions options;
    private final List<Contender> contenders;
    private final int cores;

    /**
     * One run.
     *
     * @param heap  -Xmx in MB
     * @param round from 1
     */
    record Point(Setup setup, int heap, int round) {
        String id() {
            return "curve-" + setup.id() + "-" + heap + "mb-" + round;
        }
    }

    CurvePlan(ShowdownOptions options, List<Contender> contenders, int cores) {
        this.options = options;
        this.contenders = contenders;
        this.cores = cores;
    }

    /**
     * All that can be told now, round by round, so that a machine that becomes slower does so to all. Where the heaps
     * depend on the pool's own peak and that is not known, only the run that tells it.
     *
     * @param rows     what has been measured
     * @param smallest the smallest heaps that were found; each becomes a point of its line
     */
    List<Point> points(List<CurveRow> rows, List<SmallestRow> smallest) {
        List<Point> points = new ArrayList<>();
        for (String renderer : options.renderers()) {
            Optional<Point> yardstick = yardstick(renderer);
            if (options.curve().heaps().isEmpty() && yardstick.isPresent() && peak(yardstick.get(), rows) == 0) {
                points.add(yardstick.get());
            }
        }
        if (!points.isEmpty()) {
            return points;
        }
        for (int round = 1; round <= options.rounds(); round++) {
            for (String renderer : options.renderers()) {
                for (int heap : heaps(renderer, rows)) {
                    for (Setup setup : setups(renderer)) {
                        points.add(new Point(setup, heap, round));
                    }
                }
                for (Setup setup : setups(renderer)) {
                    for (int heap : smallest(setup, smallest)) {
                        points.add(new Point(setup, heap, round));
                    }
                }
            }
        }
        return points.stream().distinct().toList();
    }

    private List<Setup> setups(String renderer) {
        return options.curve().lines().stream()
                .flatMap(line -> CurveLine.setup(line, contenders, renderer, cores).stream())
                .toList();
    }

    private Optional<Point> yardstick(String renderer) {
        return CurveLine.setup(YARDSTICK, contenders, renderer, cores)
                .map(setup -> new Point(setup, options.heap(), 1));
    }

    private List<Integer> heaps(String renderer, List<CurveRow> rows) {
        if (!options.curve().heaps().isEmpty()) {
            return options.curve().heaps();
        }
        int peak = yardstick(renderer).map(point -> peak(point, rows)).orElse(0);
        return Stream.of(peak, peak / 2, options.heap(), peak / 4)
                .filter(heap -> heap >= CurveOptions.HEAP_MIN)
                .distinct()
                .toList();
    }

    private static int peak(Point point, List<CurveRow> rows) {
        return rows.stream()
                .filter(row -> row.run().equals(point.id()) && row.finished())
                .mapToInt(CurveRow::heapSize)
                .findFirst()
                .orElse(0);
    }

    private static List<Integer> smallest(Setup setup, List<SmallestRow> smallest) {
        return smallest.stream()
                .filter(row -> row.contender().equals(setup.contender().label())
                        && row.renderer().equals(setup.renderer())
                        && row.permits() == setup.permits()
                        && row.heap() > 0)
                .map(SmallestRow::heap)
                .toList();
    }
}
