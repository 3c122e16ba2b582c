package dev.treadle.enqueue;

import dev.treadle.api.Queues;
import dev.treadle.job.Due;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.QueueStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues of a storage. Thread-safe. */
public final class DefaultQueues implements Queues {
    private final StorageProvider storage;
    private final Runnable changed;
    private final @Nullable OperatorAct act;

    private DefaultQueues(StorageProvider storage, Runnable changed, @Nullable OperatorAct act) {
        this.storage = storage;
        this.changed = changed;
        this.act = act;
    }

    /** @param changed run after a queue was paused or resumed */
    public static Queues of(StorageProvider storage, Runnable changed) {
        return new DefaultQueues(storage, changed, null);
    }

    @Override
    public Queues audited(OperatorAct act) {
        return new DefaultQueues(storage, changed, act);
    }

    @Override
    public void pause(String queue, String by, @Nullable String why) {
        pause(queue, new OperatorNote(by, why), null);
    }

    @Override
    public void pause(String queue, String by, @Nullable String why, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("The queue '" + queue + "' cannot be paused for " + duration
                    + ". Give a time that is greater than zero.");
        }
        pause(queue, new OperatorNote(by, why), new Due.After(duration));
    }

    @Override
    public void pause(String queue, String by, @Nullable String why, Instant until) {
        pause(queue, new OperatorNote(by, why), new Due.At(until));
    }

    private void pause(String queue, OperatorNote note, @Nullable Due until) {
        // a queue's name is checked as a job's is
        JobTraits.DEFAULT.withQueue(queue);
        storage().pause(queue, note, until, act);
        changed.run();
    }

    @Override
    public boolean resume(String queue, String by) {
        boolean wasPaused = storage().resume(queue, new OperatorNote(by, null), act);
        changed.run();
        return wasPaused;
    }

    @Override
    public List<QueueState> list() {
        return storage().states();
    }

    private QueueStorage storage() {
        return AdminStorage.of(storage).queues();
    }
}
