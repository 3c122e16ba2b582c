package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.AllStorageContracts;
import dev.treadle.storage.StorageProvider;
import org.junit.jupiter.api.Tag;

/** A real PostgreSQL keeps every contract. */
@Tag(GivenDatabase.POSTGRES)
class PostgresStorageTest extends AllStorageContracts {
    @Override
    protected StorageProvider emptyStorage() {
        HikariDataSource database = TestDatabases.postgres();
        StorageProvider storage = SqlStorageProvider.using(database);
        TestDatabases.empty(database);
        return storage;
    }
}
