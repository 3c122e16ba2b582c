package dev.treadle.dashboard.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The charts' numbers over four windows, each in steps of its own, so that the page is full when it opens. */
public final class Series {
    /** Windows by name, and how many seconds one step has; each holds about 300 steps. */
    public static final Map<String, Integer> STEP_SECONDS = steps();

    /** Most steps of each window. */
    static final int STEPS_MAX = 300;

    private static final long MILLIS = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private final Map<String, Deque<Point>> windows = new LinkedHashMap<>();

    Series() {
        STEP_SECONDS.keySet().forEach(window -> windows.put(window, new ArrayDeque<>()));
    }

    private static Map<String, Integer> steps() {
        Map<String, Integer> steps = new LinkedHashMap<>();
        steps.put("5m", 1);
        steps.put("1h", 12);
        steps.put("24h", 288);
        steps.put("7d", 2_016);
        return Map.copyOf(steps);
    }

    void add(Point point) {
        lock.lock();
        try {
            windows.forEach((window, points) -> add(points, stepMillis(window), point));
        } finally {
            lock.unlock();
        }
    }

    /** Begins with what nodes reported of times without a look, oldest first; before anything is added. */
    void begin(List<Point> told, long now) {
        lock.lock();
        try {
            windows.forEach((window, points) -> told.stream()
                    .filter(point -> point.t() >= now - STEPS_MAX * stepMillis(window))
                    .forEach(point -> add(points, stepMillis(window), point)));
        } finally {
            lock.unlock();
        }
    }

    private static long stepMillis(String window) {
        return STEP_SECONDS.getOrDefault(window, 1) * MILLIS;
    }

    private static void add(Deque<Point> points, long stepMillis, Point point) {
        Point last = points.peekLast();
        if (last != null && last.t() / stepMillis == point.t() / stepMillis && stepMillis > MILLIS) {
            points.removeLast();
            points.addLast(last.and(point));
        } else {
            points.addLast(point);
            if (points.size() > STEPS_MAX) {
                points.removeFirst();
            }
        }
    }

    /** The points of a window, oldest first; empty if there is no such window. */
    public List<Point> of(String window) {
        lock.lock();
        try {
            Deque<Point> points = windows.get(window);
            return points == null ? List.of() : List.copyOf(points);
        } finally {
            lock.unlock();
        }
    }

    /** What happened in the last seconds, as one point; null if nothing was seen. */
    @Nullable
    Point last(int seconds) {
        List<Point> points = of(seconds <= STEPS_MAX ? "5m" : "1h");
        long from = points.isEmpty() ? 0 : points.get(points.size() - 1).t() - seconds * MILLIS;
        return points.stream()
                .filter(point -> point.t() > from)
                .reduce(Point::and)
                .orElse(null);
    }
}
