package dev.treadle.payload;

import org.jspecify.annotations.Nullable;

/** Arguments cannot be stored. Thrown where the job is enqueued; the message says what to pass instead. */
public final class UnwritableArgumentsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnwritableArgumentsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
