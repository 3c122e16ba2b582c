package dev.treadle.invoke;

import org.jspecify.annotations.Nullable;

/** This node cannot call the job, and none of its code has run. The job is parked, and the attempt does not count. */
public final class NotRunnableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is missing, and so what would let the job run. */
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
