package dev.treadle.storage;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a node, or all together, did in one minute. Sums of what happened, the worst of what was measured.
 *
 * @param at        when the minute began
 * @param seconds   how much of it is in the sums, in seconds, at least 1; a minute that ended late has more than 60
 * @param succeeded jobs that succeeded
 * @param failed    jobs that failed for good
 * @param runP50    median of how long user code ran, in milliseconds; null if nothing ended
 * @param runP95    95th percentile of that
 * @param waitP95   95th percentile of the time from coming to claim, in milliseconds; null if no first attempt ended
 * @param running   most jobs that ran at once, as seen at the heartbeats
 * @param heapUsed  most heap that was in use then, in bytes
 * @param heapSize  as {@link NodeVitals#heapSize}
 * @param heapMax   as {@link NodeVitals#heapMax}
 * @param cpu       most, as {@link NodeVitals#cpu}
 * @param threads   most platform threads
 */
public record NodeMinute(
        Instant at,
        int seconds,
        long succeeded,
        long failed,
        @Nullable Long runP50,
        @Nullable Long runP95,
        @Nullable Long waitP95,
        int running,
        long heapUsed,
        long heapSize,
        long heapMax,
        double cpu,
        int threads) {
    /** A minute, in seconds. */
    public static final int SECONDS = 60;

    /** Brings the time to the beginning of its minute. */
    public NodeMinute {
        at = at.truncatedTo(ChronoUnit.MINUTES);
        seconds = Math.max(1, seconds);
    }
}
