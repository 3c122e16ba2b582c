package dev.treadle.invoke;

/** Where the forks of a job get threads. Thread-safe. */
@FunctionalInterface
public interface ForkThreads {
    /** None at all: the joining thread runs the forks. */
    ForkThreads NONE = task -> false;

    /**
     * Runs a task on another thread, if one is free now.
     *
     * @return false if none is; the task is not run then
     */
    boolean lend(Runnable task);
}
