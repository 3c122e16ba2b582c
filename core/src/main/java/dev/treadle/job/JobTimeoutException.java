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
     * @param timeout the timeout of the attempt
     * @param thrown  the exception of the interrupted job
     */
    public JobTimeoutException(Duration timeout, Throwable thrown) {
        super("ran for longer than its timeout of " + timeout, thrown);
        this.timeout = timeout;
    }

    /** The timeout of the attempt. */
    public Duration timeout() {
        return timeout;
    }
}
