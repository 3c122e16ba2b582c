package dev.treadle.storage;

import dev.treadle.job.Due;
import dev.treadle.job.Lane;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a storage: which lanes there are, where something waits, and which queues are paused. A lane is there
 * from its first job on, and for good; that without tags also from the first pause of its queue on, so that a
 * reader of lanes sees every pause before the first job. Pausing holds up nodes, not this storage: it still gives jobs of a paused queue
 * to nodes that claim them. Calls commit, fail and repeat as those of {@link StorageProvider}. Thread-safe.
 */
public interface QueueStorage {
    /** Most different lanes that a storage keeps: combinations of a queue, tags, and resources with their amounts. */
    int LANES_MAX = Short.MAX_VALUE;

    /** Every lane. Nodes ask this every second. */
    List<LaneState> lanes();

    /** The first job in each lane that has one which may run now, where the queue is not paused. */
    List<Head> heads();

    /**
     * Pauses a queue, or changes who paused it, why, and until when. There need not be a job in it.
     *
     * @param until when it resumes by itself, by the clock of the storage; null if it does not
     * @param act   what is written down of it in the same transaction; null if nothing is
     */
    void pause(String queue, OperatorNote move, @Nullable Due until, @Nullable OperatorAct act);

    /** The same, and nothing is written down of it. */
    default void pause(String queue, OperatorNote move, @Nullable Due until) {
        pause(queue, move, until, null);
    }

    /**
     * Resumes a queue.
     *
     * @param act what is written down of it in the same transaction, if it was paused; null if nothing is
     * @return whether it was paused
     */
    boolean resume(String queue, OperatorNote move, @Nullable OperatorAct act);

    /** The same, and nothing is written down of it. */
    default boolean resume(String queue, OperatorNote move) {
        return resume(queue, move, null);
    }

    /** Every queue that ever had a job or was paused, by name. */
    List<QueueState> states();

    /**
     * A lane, and whether its queue is paused now.
     */
    record LaneState(Lane lane, boolean paused) {}

    /**
     * The next job of a lane.
     *
     * @param priority its priority
     * @param dueSince when it came due
     */
    record Head(Lane lane, int priority, Instant dueSince) {}
}
