package dev.treadle.invoke;

import org.jspecify.annotations.Nullable;

/** A job that cannot be called here, before any of its code ran. It is parked, and no attempt is burned. */
public final class NotRunnableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is missing, so what would bring the job back. */
    public enum Missing {
        /** This node does not know the target or may not call it; another node or a later deploy may. */
        TARGET,
        /** The target is known, but no activator supplies the object to call; another node or a repaired service may. */
        RECEIVER,
        /** The target is known and the stored arguments do not fit it; only other code or other data helps. */
        ARGUMENTS
    }

    private final Missing missing;

    NotRunnableException(Missing missing, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.missing = missing;
    }

    /** What is missing. */
    public Missing missing() {
        return missing;
    }
}
