package dev.treadle.server;

import dev.treadle.admission.HeapLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs may run at once beside what is live in the heap. Immutable.
 *
 * @param lowerAbove fewer jobs are admitted when more than this share of the heap is live after a collection, 0.2 to 0.95
 * @param lowerTo    and as many as would fill this share at the same need for each; at most {@code lowerAbove}
 * @param raiseBelow more are admitted while less than this share is live; at most {@code lowerTo}
 * @param first      how many are admitted at the start and after a quiet time, from 1; null for one for each core
 * @param unproven   how many are admitted at most before any have run to their end, from 1; null for one for each 512 KiB
 *                   of the largest heap. From {@code first} to here that takes a second. Say less if jobs take much memory
 *                   late in their lives
 * @param settle     how long after a change its effect is believed to show although fewer jobs have ended since than
 *                   are admitted, 100 ms to 10 min
 */
public record HeapGuardSettings(
        double lowerAbove,
        double lowerTo,
        double raiseBelow,
        @Nullable Integer first,
        @Nullable Integer unproven,
        Duration settle) {
    /** What a job is taken to need at most while nobody knows, in bytes. */
    private static final long UNPROVEN_BYTES = 512 * 1024;

    private static final double LOWEST = 0.2;
    private static final double HIGHEST = 0.95;
    private static final Duration SETTLE_MIN = Duration.ofMillis(100);
    private static final Duration SETTLE_MAX = Duration.ofMinutes(10);

    // why last: it is checked against the constants above
    /** Lower above 0.70, to 0.55; raise below 0.45; a job for each core, soon one for each 512 KiB; 10 s to settle. */
    public static final HeapGuardSettings DEFAULT =
            new HeapGuardSettings(0.70, 0.55, 0.45, null, null, Duration.ofSeconds(10));

    /** @throws IllegalArgumentException naming the setting and its range */
    public HeapGuardSettings {
        check("lowerAbove", lowerAbove, LOWEST, HIGHEST);
        check("lowerTo", lowerTo, LOWEST / 2, lowerAbove);
        check("raiseBelow", raiseBelow, LOWEST / 4, lowerTo);
        if (first != null && first < 1) {
            throw new IllegalArgumentException(
                    "HeapGuardSettings.first is " + first + " and must be at least 1, or null for one for each core.");
        }
        if (unproven != null && unproven < 1) {
            throw new IllegalArgumentException("HeapGuardSettings.unproven is " + unproven
                    + " and must be at least 1, or null for one for each 512 KiB of the largest heap.");
        }
        if (settle.compareTo(SETTLE_MIN) < 0 || settle.compareTo(SETTLE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "HeapGuardSettings.settle is " + settle + " and must be " + SETTLE_MIN + " to " + SETTLE_MAX + ".");
        }
    }

    /** The same with other shares of the heap. */
    public HeapGuardSettings withShares(double lowerAbove, double lowerTo, double raiseBelow) {
        return new HeapGuardSettings(lowerAbove, lowerTo, raiseBelow, first, unproven, settle);
    }

    /** The same with another number of jobs at first. */
    public HeapGuardSettings withFirst(int first) {
        return new HeapGuardSettings(lowerAbove, lowerTo, raiseBelow, first, unproven, settle);
    }

    /** The same with another number of jobs before any have run to their end. */
    public HeapGuardSettings withUnproven(int unproven) {
        return new HeapGuardSettings(lowerAbove, lowerTo, raiseBelow, first, unproven, settle);
    }

    /** The same with another time to settle. */
    public HeapGuardSettings withSettle(Duration settle) {
        return new HeapGuardSettings(lowerAbove, lowerTo, raiseBelow, first, unproven, settle);
    }

    HeapLimits limits(int cores, long heapMax) {
        int begin = first == null ? cores : first;
        long open = unproven == null ? Math.min(heapMax / UNPROVEN_BYTES, Integer.MAX_VALUE) : unproven;
        return new HeapLimits(lowerAbove, lowerTo, raiseBelow, begin, (int) Math.max(begin, open), settle.toMillis());
    }

    private static void check(String setting, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    "HeapGuardSettings." + setting + " is " + value + " and must be " + min + " to " + max + ".");
        }
    }
}
