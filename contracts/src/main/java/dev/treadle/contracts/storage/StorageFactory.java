package dev.treadle.contracts.storage;

import dev.treadle.storage.StorageProvider;

/** Makes the storage that contracts check. */
abstract class StorageFactory {
    StorageFactory() {}

    /**
     * A storage without jobs and nodes, that behaves as if it had just been opened. Called before each test; hooks of
     * the subclass may close it.
     */
    protected abstract StorageProvider emptyStorage() throws Exception;
}
