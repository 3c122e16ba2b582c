package dev.treadle.invoke;

/** Supplies threads for the forks of a job. Thread-safe. */
@FunctionalInterface
public interface ForkThreads {
    /** Supplies no threads: the joining thread runs the forks. */
    ForkThreads NONE = task -> false;

    /**
     * Runs a task on another thread, if one is free now.
     *
     * @return false if no thread is free, and the task is not run
     */
    boolean lend(Runnable task);
}
