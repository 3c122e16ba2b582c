package dev.treadle.showdown;

import java.util.List;
import java.util.Map;

/**
 * The smallest heap of one executor and renderer.
 *
 * @param heap     the smallest -Xmx at which all slips finished, in MB; 0 if they never did
 * @param tooSmall the largest one tried below it, in MB; 0 if none below was tried
 * @param fate     how the run with that one ended
 * @param how      the same in words
 * @param runs     how many runs it took to find out
 * @param story    every heap tried, in order, with how it ended
 */
record SmallestRow(
        String contender,
        String renderer,
        int permits,
        int employees,
        String timeClock,
        int heap,
        int tooSmall,
        Fate fate,
        String how,
        int runs,
        String story) {
    static final List<String> NAMES = List.of(
            "contender",
            "renderer",
            "permits",
            "employees",
            "time_clock",
            "heap_mb",
            "too_small_mb",
            "fate",
            "how",
            "runs",
            "story");

    static SmallestRow of(Map<String, String> row) {
        return Rows.read(SmallestRow.class, NAMES, row);
    }
}
