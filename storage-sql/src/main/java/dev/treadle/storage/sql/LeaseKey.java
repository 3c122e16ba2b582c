package dev.treadle.storage.sql;

import dev.treadle.storage.Leased;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What names one lease. */
record LeaseKey(UUID job, long token) {
    static LeaseKey of(Leased lease) {
        return new LeaseKey(lease.job().id().value(), lease.token());
    }

    /** Written out as in {@link dev.treadle.job.JobId}. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeaseKey key && token == key.token && job.equals(key.job);
    }

    @Override
    public int hashCode() {
        return 31 * job.hashCode() + Long.hashCode(token);
    }
}
