package dev.treadle.maintenance;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A histogram of durations in steps of a quarter of an octave. Percentiles are within an eighth of the true value, and it
 * takes 456 bytes however many durations are added. Used by one thread at a time.
 */
final class Spread {
    /** About 37 hours; longer durations count as this one. */
    private static final long MILLIS_MAX = (1L << 27) - 1;

    private final int[] counts = new int[index(MILLIS_MAX) + 1];
    private int total;

    void add(long millis) {
        counts[index(Math.max(0, Math.min(MILLIS_MAX, millis)))]++;
        total++;
    }

    /** The duration that this share of all durations does not exceed, in milliseconds; null if none was added. */
    @Nullable
    Long percentile(double share) {
        long wanted = Math.max(1, Math.round(Math.ceil(share * total)));
        long seen = 0;
        for (int i = 0; i < counts.length && total > 0; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return middle(i);
            }
        }
        return null;
    }

    void clear() {
        Arrays.fill(counts, 0);
        total = 0;
    }

    private static int index(long millis) {
        if (millis < 4) {
            return (int) millis;
        }
        int octave = 63 - Long.numberOfLeadingZeros(millis);
        return 4 * (octave - 1) + (int) (millis >> (octave - 2) & 3);
    }

    private static long middle(int index) {
        if (index < 4) {
            return index;
        }
        int shift = index / 4 - 1;
        return ((4L + index % 4) << shift) + (1L << shift) / 2;
    }
}
