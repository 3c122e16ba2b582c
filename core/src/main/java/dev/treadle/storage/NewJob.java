package dev.treadle.storage;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.RetryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * A job to be kept.
 *
 * @param id         its name, made by the caller
 * @param invocation what it calls
 * @param due        when it may run
 * @param priority   smaller runs first; {@value #PRIORITY_MIN} to {@value #PRIORITY_MAX}
 * @param retries    its own retry policy; null means that of the node that runs it
 */
public record NewJob(
        JobId id,
        Invocation invocation,
        Due due,
        int priority,
        @Nullable RetryPolicy retries) {
    /** Runs before all others. */
    public static final int PRIORITY_MIN = -1_000;
    /** Runs after all others. */
    public static final int PRIORITY_MAX = 1_000;

    /** @throws IllegalArgumentException if the priority is out of range */
    public NewJob {
        if (priority < PRIORITY_MIN || priority > PRIORITY_MAX) {
            throw new IllegalArgumentException(
                    "The priority " + priority + " is out of range: " + PRIORITY_MIN + " to " + PRIORITY_MAX + ".");
        }
    }
}
