package dev.treadle.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One field of a cron expression: its name, its numbers and the names of some of them. */
enum CronField {
    SECOND("second", 0, 59, List.of()),
    MINUTE("minute", 0, 59, List.of()),
    HOUR("hour", 0, 23, List.of()),
    DAY_OF_MONTH("day of month", 1, 31, List.of()),
    MONTH("month", 1, 12, List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")),
    /** Sunday is 0 and may be written as 7. */
    DAY_OF_WEEK("day of week", 0, 6, List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"));

    final String title;
    final int min;
    final int max;
    private final List<String> names;

    CronField(String title, int min, int max, List<String> names) {
        this.title = title;
        this.min = min;
        this.max = max;
        this.names = names;
    }

    /** How many numbers it has. */
    int size() {
        return max - min + 1;
    }

    /** All its numbers as bits. */
    long all() {
        return (1L << size()) - 1 << min;
    }

    /** The number of a name; null if the field has no such name. */
    @Nullable
    Integer named(String name) {
        int index = names.indexOf(name);
        return index < 0 ? null : min + index;
    }

    /** The greatest number that an expression may use. */
    int maxWritten() {
        return this == DAY_OF_WEEK ? 7 : max;
    }

    String range() {
        return min + " to " + maxWritten() + (names.isEmpty() ? "" : " or " + names.get(0) + " to " + last(names));
    }

    private static String last(List<String> names) {
        return names.get(names.size() - 1);
    }
}
