package dev.treadle.payload;

import org.jspecify.annotations.Nullable;

/** Stored arguments that do not fit the types they are read as, found out where the job should run. */
public final class UnreadableArgumentsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableArgumentsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
