package dev.treadle.storage.sql;

import dev.treadle.storage.Leased;
import java.util.UUID;

/** What names one lease. */
record LeaseKey(UUID job, long token) {
    static LeaseKey of(Leased lease) {
        return new LeaseKey(lease.job().id().value(), lease.token());
    }
}
