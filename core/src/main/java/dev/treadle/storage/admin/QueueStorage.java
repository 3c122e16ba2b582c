package dev.treadle.storage.admin;

import dev.treadle.job.Due;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.StorageProvider;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues, as operators see them: how much waits in each, and which are paused. Pausing holds up nodes, which see it in
 * the {@linkplain StorageProvider#outlook outlook}, not the storage: it still gives jobs of a paused queue to nodes that
 * claim them. Calls commit, fail and repeat as those of {@link StorageProvider}. Thread-safe.
 */
public interface QueueStorage {
    /**
     * Every lane, and whether its queue is paused: cheap enough to be asked every second. A lane is there from its first
     * job on, and for good; that without tags also from the first pause of its queue on.
     */
    List<LaneState> lanes();

    /**
     * Pauses a queue, or changes who paused it, why, and until when. There need not be a job in it.
     *
     * @param until when it resumes by itself, by the clock of the storage; null if it does not
     * @param act   what is written down of it in the same transaction; null if nothing is
     */
    void pause(String queue, OperatorNote note, @Nullable Due until, @Nullable OperatorAct act);

    /** The same, and nothing is written down of it. */
    default void pause(String queue, OperatorNote note, @Nullable Due until) {
        pause(queue, note, until, null);
    }

    /**
     * Resumes a queue.
     *
     * @param act what is written down of it in the same transaction, if it was paused; null if nothing is
     * @return whether it was paused
     */
    boolean resume(String queue, OperatorNote note, @Nullable OperatorAct act);

    /** The same, and nothing is written down of it. */
    default boolean resume(String queue, OperatorNote note) {
        return resume(queue, note, null);
    }

    /** Every queue that ever had a job or was paused, by name, with how much waits in it. */
    List<QueueState> states();
}
