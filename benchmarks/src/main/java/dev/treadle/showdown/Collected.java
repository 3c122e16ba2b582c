package dev.treadle.showdown;

import java.util.List;
import java.util.Map;

/**
 * One garbage collection, as the flight recorder has seen it. The first of a run ended right before it began, the last is
 * the full one right after its end.
 *
 * @param millis      since the run began
 * @param name        which collector
 * @param cause       why
 * @param before      bytes in use before; 0 for a concurrent one, which has none
 * @param after       bytes in use after
 * @param pauseMicros how long all threads stood
 */
record Collected(long millis, String name, String cause, long before, long after, long pauseMicros) {
    static final List<String> NAMES = List.of("ms", "name", "cause", "before", "after", "pause_us");

    List<Object> values() {
        return List.of(millis, name, cause, before, after, pauseMicros);
    }

    boolean hasHeap() {
        return before > 0;
    }

    static Collected of(Map<String, String> row) {
        return new Collected(
                Long.parseLong(row.get("ms")),
                row.get("name"),
                row.get("cause"),
                Long.parseLong(row.get("before")),
                Long.parseLong(row.get("after")),
                Long.parseLong(row.get("pause_us")));
    }
}
