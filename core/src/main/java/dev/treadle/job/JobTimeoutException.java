package dev.treadle.job;

import java.time.Duration;

/**
 * Thrown for an attempt that ran longer than its timeout and failed. Its cause is what the job threw. Give it a policy
 * of its own with {@code Treadle.Builder.retry(JobTimeoutException.class, policy)}.
 */
public class JobTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration timeout;

    /**
     * @param timeout how long it might have run
     * @param thrown  what the job threw when it was interrupted
     */
    public JobTimeoutException(Duration timeout, Throwable thrown) {
        super("ran for longer than its timeout of " + timeout, thrown);
        this.timeout = timeout;
    }

    /** How long it might have run. */
    public Duration timeout() {
        return timeout;
    }
}
