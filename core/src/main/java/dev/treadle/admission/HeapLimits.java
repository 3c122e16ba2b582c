package dev.treadle.admission;

/**
 * How a {@link HeapGuard} decides.
 *
 * @param lowerAbove fewer jobs are admitted when more than this share of the heap is live after a collection
 * @param lowerTo    and as many as would, at the same need for each, fill this share
 * @param raiseBelow more are admitted while less than this share is live
 * @param first      how many are admitted at first, in jobs
 * @param unproven   how many are admitted at most before any have run to their end, in jobs
 * @param settleMillis how long after a change its effect is believed to show even if few jobs have ended, in milliseconds
 */
public record HeapLimits(
        double lowerAbove, double lowerTo, double raiseBelow, int first, int unproven, long settleMillis) {}
