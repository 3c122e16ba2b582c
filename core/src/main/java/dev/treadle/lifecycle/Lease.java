package dev.treadle.lifecycle;

import dev.treadle.job.Job;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job and the proof that a node may run it.
 *
 * @param job      in the state Processing
 * @param token    changes at every claim, so that a node that lost the lease can no longer write
 * @param dueSince since when the job has been due: its place in the queue, to which it returns when it is given back.
 *                 When the lease began, if nothing better is known
 */
public record Lease(Job job, long token, Instant dueSince) {
    /** A lease whose job is taken to be due since the lease began. */
    public Lease(Job job, long token) {
        this(job, token, job.state().since());
    }

    /** Whose lease it is. */
    public NodeId node() {
        return ((JobState.Processing) job.state()).node();
    }

    /** Whether both are the same lease of a job in the same state; its place in the queue does not matter. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Lease lease && token == lease.token && job.equals(lease.job);
    }

    @Override
    public int hashCode() {
        return Objects.hash(job, token);
    }
}
