package dev.treadle.storage;

import dev.treadle.job.JobId;
import org.jspecify.annotations.Nullable;

/** One run of a job, named by the lease under which it began. */
public record Run(JobId job, long token) {
    /** The run under a lease. */
    public static Run of(Leased lease) {
        return new Run(lease.job().id(), lease.token());
    }

    /** Written out as in {@link JobId}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Run run && token == run.token && job.equals(run.job);
    }

    @Override
    public int hashCode() {
        return 31 * job.hashCode() + Long.hashCode(token);
    }
}
