package dev.treadle.contracts.storage;

import dev.treadle.storage.InMemoryStorageProvider;
import dev.treadle.storage.StorageProvider;

class InMemoryStorageTest extends AllStorageContracts {
    @Override
    protected StorageProvider emptyStorage() {
        return new InMemoryStorageProvider();
    }
}
