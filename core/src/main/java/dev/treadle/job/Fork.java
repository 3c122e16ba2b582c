package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * A task that a running job has forked in a {@link JobScope}. Thread-safe.
 *
 * @param <T> what the task gives
 */
public interface Fork<T extends @Nullable Object> {
    /** What it is called in thread dumps and logs. */
    String name();

    /** How far it is. */
    State state();

    /**
     * What the task gave.
     *
     * @throws IllegalStateException if it has not succeeded; asked after a {@link JobScope#join join} that returned
     *                               normally, it has
     */
    T get();

    /** What the task threw; null if it threw nothing, or has not ended. */
    @Nullable
    Throwable exception();

    /** How far a fork is. */
    enum State {
        /** No thread has begun it. */
        WAITING,
        /** A thread runs it now. */
        RUNNING,
        /** It gave a value. */
        SUCCEEDED,
        /** It threw, without having been told to end. */
        FAILED,
        /** It was told to end: it never started, or threw after that. */
        CANCELLED
    }
}
