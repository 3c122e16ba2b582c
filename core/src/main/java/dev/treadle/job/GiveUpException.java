package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** Thrown by a job to say: fail for good, do not try again. */
public class GiveUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a message for people. */
    public GiveUpException(String message) {
        super(message);
    }

    /** With a message and what led to it. */
    public GiveUpException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
