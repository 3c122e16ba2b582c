package dev.treadle.showdown;

import java.util.ArrayList;
import java.util.List;

/** What is said of the smallest heaps. */
final class SmallestTable {
    private final List<SmallestRow> rows;

    SmallestTable(List<SmallestRow> rows) {
        this.rows = rows;
    }

    /** One section, or none if nobody has searched. */
    List<Section> sections() {
        if (rows.isEmpty()) {
            return List.of();
        }
        List<List<String>> table = new ArrayList<>(List.of(List.of(
                "contender",
                "renderer",
                "permits",
                "slips (time clock)",
                "smallest -Xmx",
                "next below that was tried",
                "how that one ended",
                "runs")));
        for (SmallestRow row : rows) {
            table.add(List.of(
                    row.contender(),
                    row.renderer(),
                    Units.count(row.permits()),
                    Units.count(row.employees()) + " (" + row.timeClock() + ")",
                    row.heap() == 0 ? "none" : row.heap() + " MB",
                    row.tooSmall() == 0 ? "–" : row.tooSmall() + " MB",
                    row.tooSmall() == 0 ? "–" : row.fate().printed() + ": " + row.how(),
                    Integer.toString(row.runs())));
        }
        return List.of(Section.of(
                "The smallest heap that finishes",
                List.of(
                        "The smallest -Xmx, found by bisection and confirmed by a second run (if that fails, it is a larger one), at which all slips"
                                + " are made, each executor with its own permits; how long each slip waits for the time clock stands"
                                + " beside their number. A run that dies or takes three times"
                                + " the estimated time and a minute has not finished. These runs are neither warmed up nor watched."),
                table));
    }
}
