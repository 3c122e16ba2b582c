package dev.treadle.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work and where it stands. Immutable.
 *
 * @param id         its name
 * @param invocation what it calls
 * @param priority   smaller runs first; 0 is usual
 * @param retries    its own retry policy; null means the policy of the node that runs it
 * @param createdAt  when it was inserted, by the clock of the storage
 * @param attempt    attempts begun since it was enqueued or run again
 * @param state      where it stands
 */
public record Job(
        JobId id,
        Invocation invocation,
        int priority,
        @Nullable RetryPolicy retries,
        Instant createdAt,
        int attempt,
        JobState state) {}
