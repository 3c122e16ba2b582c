package dev.treadle.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many jobs the heap guard admits, by how much of the heap is live after a collection. Immutable. */
public final class HeapGuardSettings {
    private static final double SHARE_MIN = 0.2;
    private static final double SHARE_MAX = 0.95;
    private static final Duration SETTLE_MIN = Duration.ofMillis(100);
    private static final Duration SETTLE_MAX = Duration.ofMinutes(10);

    /** Lower above 0.70, to 0.55; raise below 0.45; start with one job per core; 10 s to settle. */
    public static final HeapGuardSettings DEFAULT = new HeapGuardSettings(new Draft());

    private final double lowerAbove;
    private final double lowerTo;
    private final double raiseBelow;
    private final @Nullable Integer first;
    private final @Nullable Integer unproven;
    private final Duration settle;

    private HeapGuardSettings(Draft draft) {
        this.lowerAbove = checked("lowerAbove", draft.lowerAbove, SHARE_MIN, SHARE_MAX);
        this.lowerTo = checked("lowerTo", draft.lowerTo, SHARE_MIN / 2, lowerAbove);
        this.raiseBelow = checked("raiseBelow", draft.raiseBelow, SHARE_MIN / 4, lowerTo);
        this.first = draft.first;
        this.unproven = draft.unproven;
        this.settle = draft.settle;
    }

    /** The guard admits fewer jobs when more than this share of the heap is live after a collection. */
    public double lowerAbove() {
        return lowerAbove;
    }

    /** It then admits as many as would fill this share of the heap if each job needs as much as now. */
    public double lowerTo() {
        return lowerTo;
    }

    /** The guard admits more jobs while less than this share of the heap is live. */
    public double raiseBelow() {
        return raiseBelow;
    }

    /** How many jobs are admitted at the start and after a quiet time; null for one per core. */
    public @Nullable Integer first() {
        return first;
    }

    /** How many jobs are admitted at most before any has ended; null for one per 512 KiB of the largest heap. */
    public @Nullable Integer unproven() {
        return unproven;
    }

    /** How long the guard waits for the effect of a change if few jobs end. */
    public Duration settle() {
        return settle;
    }

    /**
     * Sets the shares of the heap.
     *
     * @param lowerAbove admit fewer jobs above this share, 0.2 to 0.95
     * @param lowerTo    and as many as would fill this share; at most {@code lowerAbove}
     * @param raiseBelow admit more jobs below this share; at most {@code lowerTo}
     */
    public HeapGuardSettings withShares(double lowerAbove, double lowerTo, double raiseBelow) {
        Draft draft = new Draft(this);
        draft.lowerAbove = lowerAbove;
        draft.lowerTo = lowerTo;
        draft.raiseBelow = raiseBelow;
        return new HeapGuardSettings(draft);
    }

    /** Sets how many jobs are admitted at the start and after a quiet time, at least 1. */
    public HeapGuardSettings withFirst(int first) {
        if (first < 1) {
            throw new IllegalArgumentException("HeapGuardSettings.first is " + first
                    + " and must be at least 1. Leave it out for one job per core.");
        }
        Draft draft = new Draft(this);
        draft.first = first;
        return new HeapGuardSettings(draft);
    }

    /**
     * Sets how many jobs are admitted at most before any has ended, at least 1. It takes the guard a second to get there
     * from {@link #first}. Use a small number if jobs need much memory late in their lives.
     */
    public HeapGuardSettings withUnproven(int unproven) {
        if (unproven < 1) {
            throw new IllegalArgumentException("HeapGuardSettings.unproven is " + unproven
                    + " and must be at least 1. Leave it out for one job per 512 KiB of the largest heap.");
        }
        Draft draft = new Draft(this);
        draft.unproven = unproven;
        return new HeapGuardSettings(draft);
    }

    /**
     * Sets how long the guard waits for the effect of a change if fewer jobs end than are admitted.
     *
     * @param settle 100 ms to 10 min
     */
    public HeapGuardSettings withSettle(Duration settle) {
        if (settle.compareTo(SETTLE_MIN) < 0 || settle.compareTo(SETTLE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "HeapGuardSettings.settle is " + settle + " and must be " + SETTLE_MIN + " to " + SETTLE_MAX + ".");
        }
        Draft draft = new Draft(this);
        draft.settle = settle;
        return new HeapGuardSettings(draft);
    }

    private static double checked(String setting, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(
                    "HeapGuardSettings." + setting + " is " + value + " and must be " + min + " to " + max + ".");
        }
        return value;
    }

    /** The next settings, by name. */
    private static final class Draft {
        private double lowerAbove = 0.70;
        private double lowerTo = 0.55;
        private double raiseBelow = 0.45;
        private @Nullable Integer first;
        private @Nullable Integer unproven;
        private Duration settle = Duration.ofSeconds(10);

        private Draft() {}

        private Draft(HeapGuardSettings from) {
            this.lowerAbove = from.lowerAbove;
            this.lowerTo = from.lowerTo;
            this.raiseBelow = from.raiseBelow;
            this.first = from.first;
            this.unproven = from.unproven;
            this.settle = from.settle;
        }
    }
}
