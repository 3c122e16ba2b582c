package dev.treadle.storage;

import org.jspecify.annotations.Nullable;

/** The storage did not do what it was asked, or its answer was lost: what was asked may have taken effect. */
public class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean worthRepeating;

    /**
     * @param worthRepeating the same call may succeed later, as when the database is away; false if the call itself is
     *                       at fault, as when a text cannot be stored
     */
    public StorageException(String message, @Nullable Throwable cause, boolean worthRepeating) {
        super(message, cause);
        this.worthRepeating = worthRepeating;
    }

    /** Whether the same call may succeed later. */
    public boolean isWorthRepeating() {
        return worthRepeating;
    }
}
