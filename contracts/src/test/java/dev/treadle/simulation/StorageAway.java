package dev.treadle.simulation;

import dev.treadle.storage.StorageException;

/** A simulated failure of the storage; without a stack trace, because there are many. */
final class StorageAway extends StorageException {
    private static final long serialVersionUID = 1L;

    StorageAway(String what, boolean worthRepeating) {
        super(what, null, worthRepeating);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
