package dev.treadle.payload;

import org.jspecify.annotations.Nullable;

/** Stored arguments do not fit the types that they should be read as. Thrown where the job should run. */
public final class UnreadableArgumentsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableArgumentsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
