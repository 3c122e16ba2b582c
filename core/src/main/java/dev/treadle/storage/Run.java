package dev.treadle.storage;

import dev.treadle.job.JobId;

/** One run of a job, named by the lease under which it began. */
public record Run(JobId job, long token) {
    /** The run under a lease. */
    public static Run of(Leased lease) {
        return new Run(lease.job().id(), lease.token());
    }
}
