package dev.treadle.lifecycle;

import dev.treadle.job.JobId;
import org.jspecify.annotations.Nullable;

/** One run of a job, named by the lease under which it began. */
public record RunId(JobId job, long token) {
    /** The run under a lease. */
    public static RunId of(Lease lease) {
        return new RunId(lease.job().id(), lease.token());
    }

    /** Written out as in {@link JobId}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunId run && token == run.token && job.equals(run.job);
    }

    @Override
    public int hashCode() {
        return 31 * job.hashCode() + Long.hashCode(token);
    }
}
