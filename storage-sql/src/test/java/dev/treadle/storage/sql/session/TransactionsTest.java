package dev.treadle.storage.sql.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.connections.DirectConnections;
import dev.treadle.storage.sql.connections.PooledConnectionSource;
import dev.treadle.storage.sql.postgresql.PostgresLimits;
import dev.treadle.storage.sql.postgresql.PostgresSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls whose connection breaks in the middle. */
class TransactionsTest {
    private final HikariDataSource pool = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final Transactions transactions = new OwnTransactions(
            new PooledConnectionSource(pool, false),
            EmptyDatabases.statements(Dialect.POSTGRESQL),
            new OwnTransactions.Terms(false, PostgresLimits.FOR_TRANSACTION));
    private final AtomicInteger tries = new AtomicInteger();

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void a_transaction_that_may_be_repeated_is_when_its_session_was_ended() {
        int answer = transactions.transaction("answer", true, session -> {
            if (tries.incrementAndGet() == 1) {
                endOwnSession(session);
            }
            return Integer.parseInt(Rows.onlyText(session.connection(), "select 42"));
        });

        assertEquals(42, answer);
        assertEquals(2, tries.get());
    }

    @Test
    void what_broke_a_connection_is_told_and_not_that_it_could_not_be_rolled_back() {
        StorageException e = assertThrows(
                StorageException.class,
                () -> transactions.transaction("answer", false, session -> {
                    tries.incrementAndGet();
                    return endOwnSession(session);
                }));

        assertTrue(e.getMessage().contains("terminating connection due to administrator command"), e.getMessage());
        assertEquals(1, tries.get());
    }

    @Test
    void a_transaction_in_a_session_without_limits_has_them_and_leaves_none() {
        String limits = "select concat_ws(' ', current_setting('lock_timeout'), current_setting('statement_timeout'),"
                + " current_setting('idle_in_transaction_session_timeout'))";

        assertEquals(
                "8s 50s 5s",
                transactions.transaction("ask", false, session -> Rows.onlyText(session.connection(), limits)));
        assertEquals(
                "0 0 0", transactions.statement("ask", false, session -> Rows.onlyText(session.connection(), limits)));
    }

    private static void setUp(Connection connection) throws SQLException {
        PostgresSession.setUp(connection, false);
    }

    @Test
    void a_connection_of_our_own_has_limits_for_every_statement_and_those_of_the_url_instead() throws SQLException {
        String limits = "select concat_ws(' ', current_setting('lock_timeout'), current_setting('statement_timeout'),"
                + " current_setting('idle_in_transaction_session_timeout'), current_setting('tcp_user_timeout'))";
        try (var plain = new DirectConnections(pool.getJdbcUrl(), null, null, TransactionsTest::setUp).getConnection();
                var chosen = new DirectConnections(
                                pool.getJdbcUrl() + "&options=-c%20lock_timeout=3s",
                                null,
                                null,
                                TransactionsTest::setUp)
                        .getConnection()) {
            assertEquals("8s 50s 5s 20000", Rows.onlyText(plain, limits));
            assertEquals("3s 50s 5s 20000", Rows.onlyText(chosen, limits));
        }
    }

    private static boolean endOwnSession(Session session) throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            return statement.execute("select pg_terminate_backend(pg_backend_pid())");
        }
    }
}
