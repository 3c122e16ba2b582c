package dev.treadle.job;

/**
 * Jobs that another job has spawned under one name: see {@link JobContext#spawn(String, java.util.stream.Stream)}. Used by
 * the code that spawned them, on its own thread.
 *
 * @param <R> what each of them returns
 */
public interface Children<R> {
    /** How many there are. */
    long count();

    /**
     * Returns the id of one of them.
     *
     * @param ordinal its place in the stream, from 0
     * @throws IndexOutOfBoundsException if there are not so many
     */
    JobId id(long ordinal);

    /** Waits until all of them have succeeded: {@link JoinRule#ALL_SUCCEED}. */
    default ChildResults<R> join() {
        return join(JoinRule.ALL_SUCCEED);
    }

    /**
     * Waits for them. While there is something to wait for, this throws {@link JobSuspension}: the parent gives back its
     * thread, its lease and its permits, and its handler is called again from the top when the wait is over.
     *
     * @throws ChildFailedException  under {@link JoinRule#ALL_SUCCEED} if one of them failed for good or was cancelled;
     *                               under {@link JoinRule#ANY_SUCCEEDS} if none succeeded
     * @throws IllegalStateException in a fork, on another thread, or when the run of the parent has ended
     */
    ChildResults<R> join(JoinRule rule);
}
