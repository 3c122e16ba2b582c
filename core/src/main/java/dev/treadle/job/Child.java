package dev.treadle.job;

/**
 * A job that another job has spawned: see {@link JobContext#spawn(String, JobRequest)}. Used by the code that spawned it,
 * on its own thread.
 *
 * @param <R> what it returns
 */
public interface Child<R> {
    /** Its id, which is the same at each run of the parent. */
    JobId id();

    /**
     * Waits for its success. While it has not ended, this throws {@link JobSuspension}: the parent gives back its thread,
     * its lease and its permits, and its handler is called again from the top when the child has ended.
     *
     * @return what it returned; null if nothing
     * @throws ChildFailedException  if it failed for good or was cancelled
     * @throws IllegalStateException in a fork, on another thread, or when the run of the parent has ended
     */
    R join();
}
