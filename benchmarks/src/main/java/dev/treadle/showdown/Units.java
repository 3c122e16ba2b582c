package dev.treadle.showdown;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Figures as people read them. */
final class Units {
    private static final double MEGABYTE = 1024 * 1024;

    private Units() {}

    /** Such as {@code 212}. */
    static String megabytes(double bytes) {
        return String.format(Locale.ROOT, bytes < 10 * MEGABYTE ? "%.1f" : "%,.0f", bytes / MEGABYTE);
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 100 ? "%.1f" : "%,.0f", seconds);
    }

    /** All rounds: {@code 140 / 132 / 139}. */
    static String allSeconds(double... seconds) {
        return Arrays.stream(seconds).mapToObj(Units::seconds).collect(Collectors.joining(" / "));
    }

    static String count(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    /** How much of the one the other is: {@code 64 %}. */
    static String percent(double part, double whole) {
        return whole == 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100 * part / whole);
    }
}
