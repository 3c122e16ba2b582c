package dev.treadle.storage;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;

/**
 * A job to be kept.
 *
 * @param id         its name, made by the caller
 * @param invocation what it calls
 * @param due        when it may run
 * @param traits     what it asks for beside that
 */
public record NewJob(JobId id, Invocation invocation, Due due, JobTraits traits) {
    /** Smaller runs first. */
    public int priority() {
        return traits.priority();
    }

    /** Where it waits. */
    public Lane lane() {
        return traits.lane();
    }
}
