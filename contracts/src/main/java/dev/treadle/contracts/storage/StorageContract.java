package dev.treadle.contracts.storage;

import dev.treadle.storage.StorageProvider;
import org.junit.jupiter.api.BeforeEach;

/**
 * What all storage contracts share: an empty storage for each test. Extend one of the topics, or {@link AllStorageContracts} for all of them:
 *
 * <pre>{@code
 * class MyClaimTest extends ClaimContract {
 *     @Override
 *     protected StorageProvider emptyStorage() { … }
 * }
 * }</pre>
 */
public abstract class StorageContract extends StorageChecks {
    /** For subclasses. */
    protected StorageContract() {}

    /**
     * A storage without jobs and nodes, that behaves as if it had just been opened. Called before each test; hooks of
     * the subclass may close it.
     */
    protected abstract StorageProvider emptyStorage() throws Exception;

    @BeforeEach
    final void beginWithAnEmptyStorage() throws Exception {
        storage = emptyStorage();
    }
}
