package dev.treadle.api;

import dev.treadle.job.OperatorAct;
import dev.treadle.job.QueueState;
import dev.treadle.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists, pauses and resumes queues. Every node stops starting jobs of a paused queue within about a second. Running jobs
 * finish, and jobs can still be enqueued. {@link dev.treadle.Treadle#queues()} returns it. All methods throw
 * {@link StorageException} if the storage does not answer. Thread-safe.
 */
public interface Queues {
    /** Returns the same queues; each change to them writes this audit row in its own transaction. */
    Queues audited(OperatorAct act);

    /**
     * Pauses a queue until it is resumed. Pausing it again changes who paused it, why, and until when.
     *
     * @param by  who pauses it: a person or a program
     * @param why the reason; null if none is given
     */
    void pause(String queue, String by, @Nullable String why);

    /** Pauses a queue for some time. It then resumes by itself. */
    void pause(String queue, String by, @Nullable String why, Duration duration);

    /** Pauses a queue until a time by the storage's clock. It then resumes by itself. */
    void pause(String queue, String by, @Nullable String why, Instant until);

    /**
     * Resumes a queue.
     *
     * @return whether it was paused
     */
    boolean resume(String queue, String by);

    /** Lists every queue that ever had a job or was paused, by name: how many jobs wait, for how long, and who paused it. */
    List<QueueState> list();
}
