package dev.treadle.contracts.storage;

import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What all storage contracts share: an empty storage for each test. Extend {@link AllStorageContracts} to check a storage
 * against all topics, or a single topic and override {@link #emptyStorage()}:
 *
 * <pre>{@code
 * class MyClaimTest extends ClaimContract {
 *     @Override
 *     protected StorageProvider emptyStorage() { … }
 * }
 * }</pre>
 */
public abstract class StorageContract extends StorageChecks {
    private Optional<StorageFactory> enclosing = Optional.empty();

    /** Runs before the hooks of all classes, which may need to prepare the storage first. */
    @RegisterExtension
    final BeforeEachCallback findEnclosing =
            context -> enclosing = context.getRequiredTestInstances().findInstance(StorageFactory.class);

    /** For subclasses. */
    protected StorageContract() {}

    /**
     * A storage without jobs and nodes, that behaves as if it had just been opened. Called before each test; hooks of
     * the subclass may close it. The default asks the {@link AllStorageContracts} that this contract is nested in.
     */
    protected StorageProvider emptyStorage() throws Exception {
        return enclosing
                .orElseThrow(
                        () -> new IllegalStateException(
                                getClass().getName()
                                        + " has no storage: override emptyStorage(), or extend AllStorageContracts to run all contracts."))
                .emptyStorage();
    }

    @BeforeEach
    final void beginWithAnEmptyStorage() throws Exception {
        storage = AdminStorage.of(emptyStorage());
    }
}
