package dev.treadle.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work and its state. Immutable.
 *
 * @param id         its name
 * @param invocation what it calls
 * @param traits     what else is stored with it
 * @param createdAt  when it was inserted, by the clock of the storage
 * @param attempt    attempts started since it was enqueued or run again
 * @param state      its present state
 */
public record Job(JobId id, Invocation invocation, JobTraits traits, Instant createdAt, int attempt, JobState state) {
    /** Its priority; smaller numbers run first. */
    public int priority() {
        return traits.priority();
    }

    /** Its own retry policy; null means the policy of the node that runs it. */
    public @Nullable RetryPolicy retries() {
        return traits.retries();
    }
}
