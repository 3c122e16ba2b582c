package dev.treadle.storage.sql.portable;

import java.time.Duration;
import java.time.Instant;

/**
 * How old a transaction of a caller is.
 *
 * @param began      by the clock of the database
 * @param untilAsked how long it had been open when that was asked
 * @param askedNanos when that was, by this process's monotonic time
 */
public record TransactionAge(Instant began, Duration untilAsked, long askedNanos) {
    /** How old it is at this monotonic time. */
    public Duration at(long nanoTime) {
        return untilAsked.plusNanos(nanoTime - askedNanos);
    }
}
