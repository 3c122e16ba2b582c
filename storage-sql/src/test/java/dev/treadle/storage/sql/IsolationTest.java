package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.connections.PooledConnectionSource;
import dev.treadle.storage.sql.session.OwnTransactions;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** A pool with a stricter isolation works, and its owner is told what that costs. */
class IsolationTest {

    @Test
    void calls_on_a_serializable_pool_are_read_committed_and_the_cost_is_named() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(TestDatabases.postgresUrl());
        config.setUsername("postgres");
        config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            String warnings = SqlStorageProvider.using(pool).warnings().toString();
            int within = new OwnTransactions(
                            new PooledConnectionSource(pool, false),
                            EmptyDatabases.statements(Dialect.POSTGRESQL),
                            new OwnTransactions.Terms(true, null))
                    .statement("look", true, session -> session.connection().getTransactionIsolation());

            assertTrue(warnings.contains("READ COMMITTED"), warnings);
            assertEquals(Connection.TRANSACTION_READ_COMMITTED, within);
        }
    }

    @Test
    void a_usual_pool_is_not_asked_again_for_every_call() {
        String warnings =
                SqlStorageProvider.using(TestDatabases.postgres()).warnings().toString();

        assertTrue(!warnings.contains("READ COMMITTED"), warnings);
    }
}
