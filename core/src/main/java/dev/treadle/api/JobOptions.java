package dev.treadle.api;

import dev.treadle.job.JobId;
import dev.treadle.job.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What can be said about a job beside what it calls. Immutable.
 *
 * @param id       the id to use, for one job only: enqueuing it again changes nothing; null for a fresh one
 * @param parent   derive each job's id from this id and from what the job calls, so that doing the same again under the
 *                 same parent changes nothing; null for fresh ids
 * @param priority smaller runs first, {@value dev.treadle.storage.NewJob#PRIORITY_MIN} to
 *                 {@value dev.treadle.storage.NewJob#PRIORITY_MAX}
 * @param retries  when failed attempts are tried again; null for the policy of the node that runs the job
 */
public record JobOptions(
        @Nullable JobId id,
        @Nullable JobId parent,
        int priority,
        @Nullable RetryPolicy retries) {
    /** A fresh id, priority 0, the node's retry policy. */
    public static final JobOptions DEFAULT = new JobOptions(null, null, 0, null);

    /** @throws IllegalArgumentException if there is both an id and a parent */
    public JobOptions {
        if (id != null && parent != null) {
            throw new IllegalArgumentException(
                    "JobOptions have both an id and a parent to derive ids from: give one of the two.");
        }
    }

    /** The same with a given id, for one job. */
    public JobOptions withId(JobId id) {
        return new JobOptions(id, parent, priority, retries);
    }

    /** The same with ids derived from a parent and from what each job calls. */
    public JobOptions withIdsUnder(JobId parent) {
        return new JobOptions(id, parent, priority, retries);
    }

    /** The same with another priority. */
    public JobOptions withPriority(int priority) {
        return new JobOptions(id, parent, priority, retries);
    }

    /** The same with a retry policy of its own. */
    public JobOptions withRetries(RetryPolicy retries) {
        return new JobOptions(id, parent, priority, retries);
    }
}
