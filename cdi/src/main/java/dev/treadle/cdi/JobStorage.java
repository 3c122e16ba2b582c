package dev.treadle.cdi;

import dev.treadle.api.TreadleSetupException;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.inject.Instance;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the jobs of an application are kept.
 *
 * @param joined the DataSource whose transactions of JTA the jobs join; null if it takes part in none
 * @param pool   closes what was opened for the storage
 */
record JobStorage(StorageProvider storage, @Nullable DataSource joined, Runnable pool) {

    /** What the application has. */
    record Choice(Instance<StorageProvider> storages, Instance<DataSource> marked, Instance<DataSource> usual) {}

    /** @throws TreadleSetupException if jobs cannot be kept, or it is not clear where */
    static JobStorage of(Choice choice, SqlStorageSettings settings) {
        if (choice.storages().isAmbiguous()) {
            throw new TreadleSetupException(
                    "This application has several beans of type StorageProvider.",
                    "Jobs are kept in one: remove the others.",
                    null);
        }
        if (choice.storages().isResolvable()) {
            return new JobStorage(choice.storages().get(), null, () -> {});
        }
        DataSource source = source(choice);
        return Classes.isPresent("io.agroal.api.AgroalDataSource")
                ? WithAgroal.on(source, settings)
                : new JobStorage(opened(source, settings), null, () -> {});
    }

    private static DataSource source(Choice choice) {
        Instance<DataSource> found = choice.marked().isUnsatisfied() ? choice.usual() : choice.marked();
        if (found.isAmbiguous()) {
            throw new TreadleSetupException(
                    "Treadle does not know which of this application's DataSources keeps the jobs.",
                    "Mark one with @TreadleDataSource.",
                    null);
        }
        if (found.isUnsatisfied()) {
            throw new TreadleSetupException(
                    "Treadle keeps jobs in a database, and this application has no DataSource without qualifiers.",
                    "Define one, with quarkus.datasource.* or a producer, mark one with @TreadleDataSource, or define a bean"
                            + " of type StorageProvider.",
                    null);
        }
        return found.get();
    }

    private static SqlStorageProvider opened(DataSource source, SqlStorageSettings settings) {
        try {
            return SqlStorageProvider.using(source, settings);
        } catch (StorageException | IllegalArgumentException | IllegalStateException e) {
            throw new TreadleSetupException(
                    "Treadle cannot keep its jobs in this application's DataSource: " + e.getMessage(),
                    e instanceof StorageException
                            ? "Check that the database is up, and how its DataSource is set."
                            : "Change what the message names, or mark another DataSource with @TreadleDataSource.",
                    e);
        }
    }

    /** Loaded only where there is Agroal. */
    private static final class WithAgroal {
        static JobStorage on(DataSource source, SqlStorageSettings settings) {
            AgroalDataSource plain = AgroalPools.besides(source, settings.connectionsMax());
            if (plain == null) {
                return new JobStorage(opened(source, settings), null, () -> {});
            }
            boolean opened = false;
            try {
                JobStorage storage = new JobStorage(opened(plain, settings), source, plain::close);
                opened = true;
                return storage;
            } finally {
                if (!opened) {
                    plain.close();
                }
            }
        }
    }
}
