package dev.treadle.payload;

import org.jspecify.annotations.Nullable;

/** Arguments that cannot be stored, found out where the job is enqueued. The message says what to give instead. */
public final class UnwritableArgumentsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnwritableArgumentsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
