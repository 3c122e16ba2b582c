package dev.treadle.showdown;

import java.util.List;
import java.util.Map;

/**
 * One point of the curve of time over heap, in one round.
 *
 * @param run            its name, which its files have too
 * @param byDefault      whether that executor has so many permits by itself
 * @param heap           -Xmx in MB
 * @param how            how it ended, in words; empty if it finished
 * @param wallMillis     from its begin until the last PDF was written; 0 if it did not finish
 * @param slips          PDFs that were there at the end
 * @param heapSize       the most heap that the JVM held after a collection, in MB
 * @param pauses         how many pauses the collector made
 * @param pausedMillis   and how long they were in all
 * @param othersPermille how much of the machine others used during it, in thousandths
 */
record CurveRow(
        String run,
        String contender,
        String executor,
        String renderer,
        int permits,
        boolean byDefault,
        boolean guarded,
        int round,
        int employees,
        String timeClock,
        int heap,
        Fate fate,
        String how,
        long wallMillis,
        int slips,
        int heapSize,
        int pauses,
        long pausedMillis,
        long othersPermille) {
    static final List<String> NAMES = List.of(
            "run",
            "contender",
            "executor",
            "renderer",
            "permits",
            "by_default",
            "guarded",
            "round",
            "employees",
            "time_clock",
            "heap_mb",
            "fate",
            "how",
            "wall_ms",
            "slips",
            "heap_size_mb",
            "pauses",
            "paused_ms",
            "others_permille");

    static CurveRow of(Map<String, String> row) {
        return Rows.read(CurveRow.class, NAMES, row);
    }

    boolean finished() {
        return fate == Fate.FINISHED;
    }

    /** Whose line it is: {@code JDK 25 virtual, 1,000 permits, heap guard}. */
    String line() {
        return contender + ", " + Units.count(permits) + " permits" + (guarded ? Section.GUARDED : "");
    }
}
