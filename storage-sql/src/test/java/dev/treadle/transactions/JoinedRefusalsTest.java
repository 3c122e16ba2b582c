package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.KeyRule;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.transaction.TransactionMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections in whose transaction no job can be kept: each is refused with what is wrong and what to do. */
@ParameterizedClass
@EnumSource(JoinedDatabase.class)
@Timeout(300)
class JoinedRefusalsTest extends JoinedFixture {
    JoinedRefusalsTest(JoinedDatabase kind) {
        super(kind);
    }

    private static void assertSays(RuntimeException refused, String... parts) {
        String message = String.valueOf(refused.getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
        assertFalse(message.contains("\n"), message);
        assertTrue(message.endsWith("."), message);
    }

    private void mustRefuse(Connection connection, String... parts) {
        assertSays(assertThrows(IllegalArgumentException.class, () -> jobs.in(connection)), parts);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Keeps a row of the application, and a job if it is to be. */
    private void mustGoOn(Connection connection) {
        JoinedDatabase.order(connection, 1_000);
        jobs.in(connection).enqueue(new Mail("after"));
        JoinedDatabase.end(connection, true);
        assertEquals(1, JoinedDatabase.number(database, "select count(*) from orders where id = 1000"));
        assertEquals(1, JoinedDatabase.number(database, "select count(*) from treadle_job"));
    }

    @Test
    void null_says_what_to_give() {
        assertSays(assertThrows(NullPointerException.class, () -> jobs.in(null)), "connection", "your transaction");
        assertSays(assertThrows(NullPointerException.class, () -> jobs.transaction(null, c -> 1)), "DataSource");
        assertSays(assertThrows(NullPointerException.class, () -> jobs.transaction(database, null)), "call is null");
    }

    @Test
    void a_closed_connection() throws SQLException {
        Connection connection = database.getConnection();
        connection.close();

        mustRefuse(connection, "is closed", "before it is closed");
    }

    @Test
    void a_connection_that_is_closed_later() {
        Connection connection = JoinedDatabase.begin(database);
        JobScheduler joined = jobs.in(connection);
        joined.enqueue(new Mail("a"));
        JoinedDatabase.end(connection, false);

        assertSays(assertThrows(IllegalArgumentException.class, () -> joined.enqueue(new Mail("b"))), "is closed");
    }

    @Test
    void autocommit() throws SQLException {
        try (Connection connection = database.getConnection()) {
            mustRefuse(connection, "autocommit on", "setAutoCommit(false)");
        }
    }

    @Test
    void a_read_only_connection() throws SQLException {
        Assumptions.assumeTrue(kind.isPostgres(), "H2's connections are read-only only where the database is.");
        try (Connection connection = database.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            mustRefuse(connection, "is read-only", "may write");
            connection.setAutoCommit(true);
        }
    }

    @Test
    void a_database_without_the_tables() throws SQLException {
        try (HikariDataSource other = kind.open()) {
            Connection connection = JoinedDatabase.begin(other);
            JoinedDatabase.order(connection, 1);

            mustRefuse(connection, "does not see Treadle's tables", "connection of the storage's database");

            // what was done before is as it was
            JoinedDatabase.end(connection, true);
            assertEquals(1, JoinedDatabase.number(other, "select count(*) from orders"));
        }
    }

    @Test
    void a_database_with_tables_of_its_own() {
        try (HikariDataSource other = kind.open()) {
            kind.storage(other).close();
            Connection connection = JoinedDatabase.begin(other);

            mustRefuse(connection, "another database", "connection of the storage's database");

            JoinedDatabase.end(connection, false);
        }
    }

    @Test
    void a_database_of_another_kind() {
        JoinedDatabase foreign = kind.isPostgres() ? JoinedDatabase.H2 : JoinedDatabase.POSTGRESQL;
        try (HikariDataSource other = foreign.open()) {
            foreign.storage(other).close();
            Connection connection = JoinedDatabase.begin(other);

            mustRefuse(connection, "another database");

            JoinedDatabase.end(connection, false);
        }
    }

    @Test
    void another_schema_of_the_same_database() throws SQLException {
        boolean maria = kind == JoinedDatabase.MARIADB;
        EmptyDatabases.execute(database, "create schema " + (maria ? "if not exists " : "") + "elsewhere");
        try (Connection connection = database.getConnection()) {
            if (maria) {
                connection.setCatalog("elsewhere");
            } else {
                connection.setSchema(kind.isPostgres() ? "elsewhere" : "ELSEWHERE");
            }
            connection.setAutoCommit(false);
            mustRefuse(connection, "does not see Treadle's tables", "withSchemaName");
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    @Test
    void a_mode_that_says_something_else() {
        Connection connection = JoinedDatabase.begin(database);
        for (TransactionMode mode : new TransactionMode[] {TransactionMode.AFTER_COMMIT, TransactionMode.OWN}) {
            JobScheduler both =
                    jobs.with(JobOptions.DEFAULT.withTransactionMode(mode)).in(connection);
            assertSays(
                    assertThrows(IllegalArgumentException.class, () -> both.enqueue(new Mail("a"))),
                    mode.name(),
                    "jobs.in(connection)");
        }
        mustGoOn(connection);
    }

    @Test
    void a_transaction_that_was_declared_read_only() throws SQLException {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 has no read-only transactions.");
        Connection connection = JoinedDatabase.begin(database);
        execute(connection, "set transaction read only");

        StorageException refused =
                assertThrows(StorageException.class, () -> jobs.in(connection).enqueue(new Mail("a")));

        assertSays(refused, "read-only", "may write");
        assertFalse(refused.isWorthRepeating());
        JoinedDatabase.end(connection, false);
    }

    @Test
    void a_transaction_that_an_earlier_failure_aborted() throws SQLException {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 undoes a failed statement and goes on.");
        Connection connection = JoinedDatabase.begin(database);
        JobScheduler before = jobs.in(connection);
        assertThrows(SQLException.class, () -> execute(connection, "select 1 / 0"));

        for (var call : new org.junit.jupiter.api.function.Executable[] {
            () -> before.enqueue(new Mail("a")), () -> jobs.in(connection).enqueue(new Mail("a"))
        }) {
            assertSays(assertThrows(StorageException.class, call), "was aborted by an earlier failure", "Roll it back");
        }
        connection.rollback();
        mustGoOn(connection);
    }

    @Test
    void a_wait_that_is_longer_than_the_connection_allows_leaves_the_transaction_as_it_was() throws SQLException {
        JobScheduler held = jobs.with(JobOptions.DEFAULT.withKey(KeyRule.mailbox("held")));
        Connection holder = JoinedDatabase.begin(database);
        held.in(holder).enqueue(new Mail("holder"));
        Connection connection = JoinedDatabase.begin(database);
        JoinedDatabase.order(connection, 7);
        execute(
                connection,
                switch (kind) {
                    case POSTGRESQL, POSTGRESQL_PORTABLE -> "set local statement_timeout = '300ms'";
                    case H2 -> "set lock_timeout 300";
                    case MARIADB -> "set innodb_lock_wait_timeout = 1";
                });

        StorageException refused =
                assertThrows(StorageException.class, () -> held.in(connection).enqueue(new Mail("late")));

        assertSays(refused, "longer than this connection allows", "repeat the whole");
        assertTrue(refused.isWorthRepeating());
        JoinedDatabase.end(holder, false);
        mustGoOn(connection);
        assertEquals(1, JoinedDatabase.number(database, "select count(*) from orders where id = 7"));
    }

    @Test
    void a_connection_that_dies_in_the_middle() throws SQLException {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 runs in this process.");
        Connection connection = JoinedDatabase.begin(database);
        JobScheduler joined = jobs.in(connection);
        joined.enqueue(new Mail("first"));
        kill(connection);

        StorageException refused = assertThrows(StorageException.class, () -> joined.enqueue(new Mail("second")));

        assertSays(refused, "connection is gone", "on another connection");
        assertTrue(refused.isWorthRepeating());
        connection.close();
        assertEquals(0, JoinedDatabase.number(database, "select count(*) from treadle_job"));
    }

    private void kill(Connection connection) throws SQLException {
        int pid;
        try (Statement ask = connection.createStatement();
                var row = ask.executeQuery("select pg_backend_pid()")) {
            row.next();
            pid = row.getInt(1);
        }
        EmptyDatabases.execute(database, "select pg_terminate_backend(" + pid + ", 20000)");
    }

    @Test
    void a_statement_that_fails_leaves_the_transaction_as_it_was() throws SQLException {
        EmptyDatabases.execute(
                database, "alter table treadle_job add constraint no_bad check (arguments not like '%bad%')");
        Connection connection = JoinedDatabase.begin(database);
        JoinedDatabase.order(connection, 7);
        JobScheduler joined = jobs.in(connection);

        StorageException refused = assertThrows(StorageException.class, () -> joined.enqueue(new Mail("bad")));

        assertSays(refused, "What you did before is as it was");
        mustGoOn(connection);
        assertEquals(1, JoinedDatabase.number(database, "select count(*) from orders where id = 7"));
    }
}
