package dev.treadle.dashboard.live;

import dev.treadle.storage.NodeMinute;
import org.jspecify.annotations.Nullable;

/**
 * What was seen in one step of a chart. Numbers that could not be had are null.
 *
 * @param t         end of the step, milliseconds since 1970
 * @param s         how much of it was seen, in seconds: what happened is divided by that
 * @param ok        jobs that succeeded in the step
 * @param failed    jobs that failed for good in the step
 * @param running   jobs that ran at its end
 * @param waiting   jobs that were due and not claimed at its end
 * @param runP50    median of how long user code ran, in milliseconds
 * @param runP95    95th percentile of that
 * @param waitP95   95th percentile of the time from coming to claim, in milliseconds
 * @param oldest    how long the job had waited that came due first, in milliseconds
 * @param heapUsed  by all servers that are heard, in bytes
 * @param heapSize  what they hold for it, in bytes
 */
public record Point(
        long t,
        double s,
        long ok,
        long failed,
        long running,
        @Nullable Long waiting,
        @Nullable Long runP50,
        @Nullable Long runP95,
        @Nullable Long waitP95,
        @Nullable Long oldest,
        @Nullable Long heapUsed,
        @Nullable Long heapSize) {
    private static final long MILLIS = 1_000;

    /** What nodes reported of a minute, by the time at which it was over or now. */
    static Point of(NodeMinute minute, long now) {
        return new Point(
                Math.min(now, minute.at().toEpochMilli() + Math.max(NodeMinute.SECONDS, minute.seconds()) * MILLIS),
                minute.seconds(),
                minute.succeeded(),
                minute.failed(),
                minute.running(),
                null,
                minute.runP50(),
                minute.runP95(),
                minute.waitP95(),
                null,
                minute.heapUsed(),
                minute.heapSize());
    }

    /** Both steps as one longer one: sums of what happened, the worst of what was measured. */
    Point and(Point next) {
        return new Point(
                next.t,
                Math.round((s + next.s) * MILLIS) / (double) MILLIS,
                ok + next.ok,
                failed + next.failed,
                Math.max(running, next.running),
                worse(waiting, next.waiting),
                worse(runP50, next.runP50),
                worse(runP95, next.runP95),
                worse(waitP95, next.waitP95),
                worse(oldest, next.oldest),
                worse(heapUsed, next.heapUsed),
                worse(heapSize, next.heapSize));
    }

    private static @Nullable Long worse(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.max(one, other);
    }
}
