package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.AllStorageContracts;
import dev.treadle.storage.StorageProvider;
import org.junit.jupiter.api.Tag;

/** The portable statements keep every contract on a real PostgreSQL. */
@Tag(GivenDatabase.POSTGRES)
class PortablePostgresStorageTest extends AllStorageContracts {
    @Override
    protected StorageProvider emptyStorage() {
        HikariDataSource database = TestDatabases.postgres();
        StorageProvider storage = SqlStorageProvider.using(database, SqlStorageSettings.DEFAULT.withPortableSql(true));
        TestDatabases.empty(database);
        return storage;
    }
}
