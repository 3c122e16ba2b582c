package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.AllStorageContracts;
import dev.treadle.storage.StorageProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file keeps every contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class H2FileStorageTest extends AllStorageContracts {
    private HikariDataSource database;

    @BeforeAll
    void open(@TempDir Path folder) {
        database = TestDatabases.h2File(folder.resolve("contracts"));
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
