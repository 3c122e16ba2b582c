package dev.treadle.showdown;

import java.util.List;
import java.util.Map;

/**
 * One run: what it was, and how it ended.
 *
 * @param run            its name, which its other files have too
 * @param byDefault      whether that executor has so many permits by itself
 * @param heap           -Xmx in MB
 * @param how            how it ended, in words; empty if it finished
 * @param wallMillis     from its begin until the last PDF was written; 0 if it did not finish
 * @param slips          PDFs that were there at the end
 * @param residentBytes  most memory that the process had resident, warm-up included
 * @param othersPermille how much of the machine others used during it, in thousandths
 * @param unwatched      why it was not watched to its end; empty if it was
 */
record RunRow(
        String run,
        String contender,
        String renderer,
        int permits,
        boolean byDefault,
        int round,
        int employees,
        String timeClock,
        int heap,
        Fate fate,
        String how,
        long wallMillis,
        int slips,
        long residentBytes,
        long othersPermille,
        String unwatched) {
    static final List<String> NAMES = List.of(
            "run",
            "contender",
            "renderer",
            "permits",
            "by_default",
            "round",
            "employees",
            "time_clock",
            "heap_mb",
            "fate",
            "how",
            "wall_ms",
            "slips",
            "resident_bytes",
            "others_permille",
            "unwatched");

    static RunRow of(Map<String, String> row) {
        return Rows.read(RunRow.class, NAMES, row);
    }

    boolean finished() {
        return fate == Fate.FINISHED;
    }

    /** Whether its figures are those of the whole run. */
    boolean isWhole() {
        return finished() && unwatched.isEmpty();
    }
}
