package dev.treadle.job;

/**
 * What an enqueue did.
 *
 * @param answer what it did
 * @param id     the job that does the work: the new one, or the one that holds the unique name
 */
public record EnqueueResult(Answer answer, JobId id) {
    /** What an enqueue can do. */
    public enum Answer {
        /** The job is stored. */
        ENQUEUED,
        /** Another job of the same unique name stays as it is; this one is not stored. */
        KEPT,
        /** Another job of the same unique name has taken over the call, the traits and the time of this one. */
        REPLACED,
        /** Another job has the same unique name; this one is refused. */
        REJECTED
    }

    /** Whether the job is stored. */
    public boolean isNew() {
        return answer == Answer.ENQUEUED;
    }
}
