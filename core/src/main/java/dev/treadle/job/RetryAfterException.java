package dev.treadle.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a job that should be tried again after this wait, such as that of a server's {@code Retry-After} header.
 */
public class RetryAfterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /**
     * @param delay zero or more
     * @param cause the exception that led to it
     */
    public RetryAfterException(Duration delay, @Nullable Throwable cause) {
        super("try again after " + delay, cause);
        this.delay = delay;
    }

    /** How long to wait. */
    public Duration delay() {
        return delay;
    }
}
