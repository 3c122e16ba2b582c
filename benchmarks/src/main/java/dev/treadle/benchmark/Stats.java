package dev.treadle.benchmark;

import java.util.Arrays;

/** Order statistics of few values. */
public final class Stats {
    private Stats() {}

    /** The middle value, or the mean of the two in the middle. */
    public static double median(double... values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest. */
    public static double min(double... values) {
        return sorted(values)[0];
    }

    /** The greatest. */
    public static double max(double... values) {
        return sorted(values)[values.length - 1];
    }

    /**
     * The smallest value that so many percent of all are not greater than.
     *
     * @param percent more than 0, up to 100
     */
    static double percentile(double percent, double... values) {
        double[] sorted = sorted(values);
        return sorted[(int) Math.ceil(percent / 100 * sorted.length) - 1];
    }

    private static double[] sorted(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("There are no statistics of no values.");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
