package dev.treadle.simulation;

import dev.treadle.storage.StorageProvider;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A way to break the engine on purpose; by default it breaks nothing. */
interface Mutant {
    /** The engine as it is. */
    Mutant NONE = new Mutant() {};

    /** The engine as it is, beside an application that enqueues in transactions of its own. */
    Mutant WITH_TRANSACTIONS = new Mutant() {
        @Override
        public Function<Instant, HeldBack> transactions() {
            return HeldBack::new;
        }
    };

    /** The engine as it is, and jobs made of jobs. */
    Mutant WITH_TREES = new Mutant() {
        @Override
        public boolean trees() {
            return true;
        }
    };

    /** Breaks the storage: what is returned here takes effect, and the ledger sees it. */
    default StorageProvider below(StorageProvider storage) {
        return storage;
    }

    /** Begins the transactions of an application; null for a world without one. */
    default @Nullable Function<Instant, HeldBack> transactions() {
        return null;
    }

    /** Whether there are jobs that spawn jobs and wait for them. */
    default boolean trees() {
        return false;
    }

    /** Breaks one node: what is returned here is what the node's engine talks to. */
    default StorageProvider above(StorageProvider storage) {
        return storage;
    }
}
