package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * Thrown where a job is enqueued, if it cannot be stored as one call and its arguments. The message says what the
 * problem is, on which line, and what to write instead. Nothing was enqueued.
 */
public class NotCapturableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message for the author of the lambda or request, and the cause. */
    public NotCapturableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
