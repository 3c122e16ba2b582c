package dev.treadle.contracts.storage;

import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;

class InMemoryStorageTest extends AllStorageContracts {
    @Override
    protected StorageProvider emptyStorage() {
        return new InMemoryStorageProvider();
    }
}
