package dev.treadle.storage;

import dev.treadle.job.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is to do for one node, as one question answers it: a node that has nothing to do asks nothing else.
 *
 * @param now      the storage's time
 * @param lanes    every lane: there from its first job on, and for good; that without tags also from the first pause of its
 *                 queue on, so that a reader of lanes sees every pause before the first job
 * @param heads    the first job of each lane that has one which may run now, where the queue is not paused
 * @param untilDue how long until the next job that waits for its time is due, or the next rate has room, zero if one is
 *                 or has; null if there is none
 * @param untilSlot how long until the next slot of a recurring job that waits for nothing; zero if one is due; null if
 *                 there is none
 * @param awaits   whether a recurring job waits for the end of a job
 * @param stops    whether a run of this node should end
 * @param gates    whether something has happened at a gate that nobody has looked at, or the deadline of a job has passed
 */
public record PendingWork(
        Instant now,
        List<LaneState> lanes,
        List<Head> heads,
        @Nullable Duration untilDue,
        @Nullable Duration untilSlot,
        boolean awaits,
        boolean stops,
        boolean gates) {
    /** Copies the lists. */
    public PendingWork {
        lanes = List.copyOf(lanes);
        heads = List.copyOf(heads);
    }

    /** A lane, and whether its queue is paused now. */
    public record LaneState(Lane lane, boolean paused) {}

    /**
     * The next job of a lane.
     *
     * @param priority its priority
     * @param dueSince when it came due
     */
    public record Head(Lane lane, int priority, Instant dueSince) {}
}
