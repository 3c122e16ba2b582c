package dev.treadle.api;

import dev.treadle.job.JobTraits;
import dev.treadle.storage.Due;
import dev.treadle.storage.OperatorNote;
import dev.treadle.storage.Operators.Act;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.QueueStorage.QueueState;
import dev.treadle.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues: what waits in them, and pausing them. Every node stops starting jobs of a paused queue within about a
 * second; running jobs finish, and enqueuing continues. All methods throw {@link StorageException} if the storage
 * does not answer. Thread-safe.
 */
public final class Queues {
    private final QueueStorage storage;
    private final Runnable changed;
    private final @Nullable Act act;

    private Queues(QueueStorage storage, Runnable changed, @Nullable Act act) {
        this.storage = storage;
        this.changed = changed;
        this.act = act;
    }

    /**
     * Used by the root package.
     *
     * @param changed run after a queue was paused or resumed
     */
    public static Queues over(QueueStorage storage, Runnable changed) {
        return new Queues(storage, changed, null);
    }

    /** The same queues, but acts on them are written to the audit log, in the same transaction. */
    public Queues audited(Act act) {
        return new Queues(storage, changed, act);
    }

    /**
     * Pauses a queue until somebody resumes it. Pausing it again changes who, why and until when.
     *
     * @param by  who pauses it: a person or a program
     * @param why the reason; null if none is given
     */
    public void pause(String queue, String by, @Nullable String why) {
        pause(queue, new OperatorNote(by, why), null);
    }

    /** Pauses a queue for some time; then it resumes by itself. */
    public void pause(String queue, String by, @Nullable String why, Duration howLong) {
        if (howLong.isNegative() || howLong.isZero()) {
            throw new IllegalArgumentException("The queue '" + queue + "' cannot be paused for " + howLong
                    + ". Give a time that is greater than zero.");
        }
        pause(queue, new OperatorNote(by, why), new Due.After(howLong));
    }

    /** Pauses a queue until an instant of the storage's clock; then it resumes by itself. */
    public void pause(String queue, String by, @Nullable String why, Instant until) {
        pause(queue, new OperatorNote(by, why), new Due.At(until));
    }

    private void pause(String queue, OperatorNote move, @Nullable Due until) {
        // a queue's name is checked as a job's is
        JobTraits.DEFAULT.withQueue(queue);
        storage.pause(queue, move, until, act);
        changed.run();
    }

    /**
     * Lets a queue go on.
     *
     * @return whether it was paused
     */
    public boolean resume(String queue, String by) {
        boolean wasPaused = storage.resume(queue, new OperatorNote(by, null), act);
        changed.run();
        return wasPaused;
    }

    /** Every queue that ever had a job or was paused, by name: how much waits, for how long, and who paused it. */
    public List<QueueState> list() {
        return storage.states();
    }
}
