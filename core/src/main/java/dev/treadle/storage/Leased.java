package dev.treadle.storage;

import dev.treadle.job.Job;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;

/**
 * A job and the proof that a node may run it.
 *
 * @param job   in the state Processing
 * @param token changes at every claim, so that whoever lost the lease can no longer write
 */
public record Leased(Job job, long token) {
    /** Whose lease it is. */
    public NodeId node() {
        return ((JobState.Processing) job.state()).node();
    }
}
