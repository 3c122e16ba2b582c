package dev.treadle.api;

import dev.treadle.storage.Due;
import dev.treadle.storage.Move;
import dev.treadle.storage.QueueStorage;
import dev.treadle.storage.QueueStorage.QueueState;
import dev.treadle.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues: what waits in them, and pausing them. Every node stops starting jobs of a paused queue within about a
 * second; jobs that run go on to their end, and enqueuing goes on. All methods throw {@link StorageException} when the
 * storage does not answer. Thread-safe.
 */
public final class Queues {
    private final QueueStorage storage;
    private final Nudges nudges;

    private Queues(QueueStorage storage, Nudges nudges) {
        this.storage = storage;
        this.nudges = nudges;
    }

    /** Used by the root package. */
    public static Queues over(QueueStorage storage, Nudges nudges) {
        return new Queues(storage, nudges);
    }

    /**
     * Pauses a queue until somebody resumes it. Pausing it again changes who, why and until when.
     *
     * @param by  who does so: a person or a program
     * @param why the reason; null if none is given
     */
    public void pause(String queue, String by, @Nullable String why) {
        pause(queue, new Move(by, why), null);
    }

    /** Pauses a queue for some time; then it resumes by itself. */
    public void pause(String queue, String by, @Nullable String why, Duration howLong) {
        if (howLong.isNegative() || howLong.isZero()) {
            throw new IllegalArgumentException("The queue '" + queue + "' cannot be paused for " + howLong
                    + ". Give a time that is greater than zero.");
        }
        pause(queue, new Move(by, why), new Due.After(howLong));
    }

    /** Pauses a queue until an instant of the storage's clock; then it resumes by itself. */
    public void pause(String queue, String by, @Nullable String why, Instant until) {
        pause(queue, new Move(by, why), new Due.At(until));
    }

    private void pause(String queue, Move move, @Nullable Due until) {
        storage.pause(queue, move, until);
        nudges.paused().run();
    }

    /**
     * Lets a queue go on.
     *
     * @return whether it was paused
     */
    public boolean resume(String queue, String by) {
        boolean wasPaused = storage.resume(queue, new Move(by, null));
        nudges.paused().run();
        return wasPaused;
    }

    /** Every queue that ever had a job or was paused, by name: how much waits, for how long, and who paused it. */
    public List<QueueState> list() {
        return storage.states();
    }
}
