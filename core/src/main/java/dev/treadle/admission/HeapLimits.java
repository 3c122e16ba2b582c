package dev.treadle.admission;

/**
 * The thresholds of a {@link HeapGuard}.
 *
 * @param lowerAbove   the limit is lowered when more than this share of the heap is live after a collection
 * @param lowerTo      it is lowered to as many jobs as would fill this share at the same need per job
 * @param raiseBelow   the limit is raised while less than this share is live
 * @param first        the limit at the start, in jobs
 * @param unproven     the highest limit before any jobs have ended, in jobs
 * @param settleMillis how long after a change its effect counts as visible even if few jobs have ended, in milliseconds
 */
public record HeapLimits(
        double lowerAbove, double lowerTo, double raiseBelow, int first, int unproven, long settleMillis) {}
