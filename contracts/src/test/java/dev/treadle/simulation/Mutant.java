package dev.treadle.simulation;

import dev.treadle.storage.StorageProvider;

/** A way to break the engine on purpose; by default it breaks nothing. */
interface Mutant {
    /** The engine as it is. */
    Mutant NONE = new Mutant() {};

    /** Breaks the storage: what is returned here takes effect, and the ledger sees it. */
    default StorageProvider below(StorageProvider storage) {
        return storage;
    }

    /** Breaks one node: what is returned here is what the node's engine talks to. */
    default StorageProvider above(StorageProvider storage) {
        return storage;
    }
}
