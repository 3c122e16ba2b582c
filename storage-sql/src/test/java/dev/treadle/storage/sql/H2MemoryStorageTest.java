package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.AllStorageContracts;
import dev.treadle.storage.StorageProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** H2 in memory keeps every contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class H2MemoryStorageTest extends AllStorageContracts {
    private HikariDataSource database;

    @BeforeAll
    void open() {
        database = TestDatabases.h2Memory("contracts");
    }

    @Override
    protected StorageProvider emptyStorage() {
        StorageProvider storage = SqlStorageProvider.using(database);
        TestDatabases.empty(database);
        return storage;
    }

    @AfterAll
    void close() {
        database.close();
    }
}
