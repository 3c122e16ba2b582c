package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * A task that a running job has forked in a {@link JobScope}. Thread-safe.
 *
 * @param <T> what the task gives
 */
public interface Fork<T extends @Nullable Object> {
    /** Its name in thread dumps and logs. */
    String name();

    /** How far it is. */
    State state();

    /**
     * The result of the task.
     *
     * @throws IllegalStateException if it has not succeeded; asked after a {@link JobScope#join join} that returned
     *                               normally, it has
     */
    T get();

    /** The exception of the task; null if it threw none, or has not ended. */
    @Nullable
    Throwable exception();

    /** The states of a fork. */
    enum State {
        /** No thread runs it yet. */
        WAITING,
        /** A thread runs it now. */
        RUNNING,
        /** It returned a value. */
        SUCCEEDED,
        /** It threw before anything told it to end. */
        FAILED,
        /** It was told to end, and then never started or threw. */
        CANCELLED
    }
}
