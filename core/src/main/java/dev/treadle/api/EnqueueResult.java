package dev.treadle.api;

import dev.treadle.job.JobId;

/**
 * What became of an enqueue.
 *
 * @param answer what
 * @param id     the job that will do the work: the new one, or the one that holds the unique name
 */
public record EnqueueResult(Answer answer, JobId id) {
    /** What can become of an enqueue. */
    public enum Answer {
        /** A new job is kept. */
        ENQUEUED,
        /** Another job of the same unique name stays as it was; nothing new is kept. */
        KEPT,
        /** Another job of the same unique name has taken over the call, the traits and the time. */
        REPLACED,
        /** Refused, because another job has the same unique name. */
        REJECTED
    }

    /** Whether a new job is kept. */
    public boolean isNew() {
        return answer == Answer.ENQUEUED;
    }
}
