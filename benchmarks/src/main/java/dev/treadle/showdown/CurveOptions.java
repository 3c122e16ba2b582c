package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the command line asks for of the curve of time over heap.
 *
 * @param asked   whether it is to be measured
 * @param heaps   each -Xmx in MB; empty for the largest, the pool's own peak, a half and a quarter of that
 * @param lines   names of {@link CurveLine}
 * @param minutes no run is begun that would not have ended after so many
 */
record CurveOptions(boolean asked, List<Integer> heaps, List<String> lines, int minutes) {
    static final int HEAP_MIN = 8;
    static final int MINUTES_MAX = 10_000;

    static final CurveOptions NOTHING = new CurveOptions(false, List.of(), CurveLine.USUAL, MINUTES_MAX);

    /** @throws IllegalArgumentException with a sentence for people */
    static CurveOptions of(Map<String, String> given, boolean quick) {
        List<String> usual = quick ? CurveLine.QUICK : CurveLine.USUAL;
        List<String> lines = given.containsKey("--lines") ? split(given.get("--lines")) : usual;
        for (String line : lines) {
            if (!CurveLine.NAMES.contains(line)) {
                throw new IllegalArgumentException(
                        "--lines takes some of " + String.join(",", CurveLine.NAMES) + ", not '" + line + "'.");
            }
        }
        List<Integer> heaps = new ArrayList<>();
        for (String heap : given.containsKey("--heaps") ? split(given.get("--heaps")) : List.<String>of()) {
            heaps.add(ShowdownOptions.number("--heaps", heap, HEAP_MIN, ShowdownOptions.HEAP_MAX));
        }
        return new CurveOptions(
                given.containsKey("--heap-curve"),
                List.copyOf(heaps),
                lines,
                given.containsKey("--minutes")
                        ? ShowdownOptions.number("--minutes", given.get("--minutes"), 1, MINUTES_MAX)
                        : MINUTES_MAX);
    }

    private static List<String> split(String list) {
        return Stream.of(list.split(",", -1)).map(String::trim).toList();
    }
}
