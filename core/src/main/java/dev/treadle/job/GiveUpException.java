package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** Thrown by a job that should fail for good, without another attempt. */
public class GiveUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message for people. */
    public GiveUpException(String message) {
        super(message);
    }

    /** With a message for people and the cause. */
    public GiveUpException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
