package dev.treadle.storage;

import dev.treadle.storage.QueueStorage.Head;
import dev.treadle.storage.QueueStorage.LaneState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is to do for one node, as one question answers it: a node that has nothing to do asks nothing else.
 *
 * @param now      the storage's time
 * @param lanes    every lane
 * @param heads    the first job of each lane that has one which may run now, where the queue is not paused
 * @param untilDue how long until the next job that waits for its time is due, or the next rate has room, zero if one is
 *                 or has; null if there is none
 * @param untilSlot how long until the next slot of a recurring job that waits for nothing; zero if one is due; null if
 *                 there is none
 * @param awaits   whether a recurring job waits for the end of a job
 * @param stops    whether a run of this node should end
 * @param gates    whether something has happened at a gate that nobody has looked at
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
}
