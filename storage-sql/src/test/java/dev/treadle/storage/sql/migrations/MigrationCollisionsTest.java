package dev.treadle.storage.sql.migrations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.OpenTransaction;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.h2.H2Migrations;
import dev.treadle.storage.sql.postgresql.PostgresMigrations;
import dev.treadle.storage.sql.session.SchemaName;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Migrations that others stand in the way of. */
@Timeout(120)
class MigrationCollisionsTest {
    private static final int TABLE_LOCK_MILLIS = 20;
    /** A step of a later release, which changes two tables that are in use. */
    private static final Migration LATER = new Migration("V002__later", """
            alter table treadle_job add column if not exists later integer;
            alter table treadle_ready add column if not exists later integer;
            """);

    private final AtomicInteger rests = new AtomicInteger();
    private HikariDataSource database;

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void postgresql_tells_why_the_lock_was_not_had_and_not_that_the_transaction_is_aborted() throws Exception {
        database = EmptyDatabases.of(Dialect.POSTGRESQL);
        makeTheTablesOfToday(Dialect.POSTGRESQL);

        try (Connection other = locks("lock table treadle_job in row exclusive mode");
                Connection connection = database.getConnection()) {
            SQLException e = assertThrows(
                    SQLException.class,
                    () -> migrations(Dialect.POSTGRESQL, () -> {}).apply(connection, database));

            assertEquals("55P03", e.getSQLState(), e.getMessage());
            assertTrue(e.getMessage().contains("lock timeout"), e.getMessage());
            assertEquals(Migrations.TRIES_MAX - 1, rests.get());
            assertTrue(connection.getAutoCommit(), "the next who borrows the connection finds it as it was");
            other.rollback();
        }
    }

    @Test
    void postgresql_applies_what_is_missing_when_the_lock_is_free_again() throws Exception {
        database = EmptyDatabases.of(Dialect.POSTGRESQL);
        makeTheTablesOfToday(Dialect.POSTGRESQL);

        try (Connection other = locks("lock table treadle_job in row exclusive mode");
                Connection connection = database.getConnection()) {
            migrations(Dialect.POSTGRESQL, other::rollback).apply(connection, database);

            assertEquals(1, rests.get());
        }
        validate(Dialect.POSTGRESQL);
    }

    /** A long statement here is one that waits for a lock; the client and the server would have given up on it. */
    @Test
    void postgresql_migrates_for_longer_than_any_other_statement_may_take() throws Exception {
        database = EmptyDatabases.of(Dialect.POSTGRESQL);
        makeTheTablesOfToday(Dialect.POSTGRESQL);
        String limited = database.getJdbcUrl().replace("socketTimeout=60", "socketTimeout=1")
                + "&options=-c%20statement_timeout=1000%20-c%20lock_timeout=1000";

        try (HikariDataSource pool = EmptyDatabases.pool(limited);
                Connection other = locks("lock table treadle_job in row exclusive mode");
                Connection connection = pool.getConnection()) {
            FutureTask<Void> migrates = new FutureTask<>(() -> {
                new PostgresMigrations(
                                SchemaName.OF_CONNECTION, rests::incrementAndGet, steps(Dialect.POSTGRESQL), 60_000)
                        .apply(connection, pool);
                return null;
            });
            new Thread(migrates, "migration").start();
            OpenTransaction.until(
                    database,
                    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                            + " and now() - query_start > interval '2 s'");
            other.rollback();
            migrates.get(60, TimeUnit.SECONDS);

            assertEquals(0, rests.get());
            assertEquals(1_000, connection.getNetworkTimeout(), "for all that follows");
        }
        validate(Dialect.POSTGRESQL);
    }

    @Test
    void postgresql_tells_at_once_of_a_statement_that_would_fail_again() throws Exception {
        database = EmptyDatabases.of(Dialect.POSTGRESQL);
        makeTheTablesOfToday(Dialect.POSTGRESQL);
        Migration wrong =
                new Migration("V002__wrong", "alter table treadle_none add column if not exists later integer;");
        PostgresMigrations migrations = new PostgresMigrations(
                SchemaName.OF_CONNECTION,
                rests::incrementAndGet,
                Stream.concat(Migration.all("POSTGRESQL").stream(), Stream.of(wrong))
                        .toList(),
                TABLE_LOCK_MILLIS);

        try (Connection connection = database.getConnection()) {
            SQLException e = assertThrows(SQLException.class, () -> migrations.apply(connection, database));

            assertTrue(e.getMessage().contains("treadle_none"), e.getMessage());
            assertEquals(0, rests.get());
        }
    }

    @Test
    void h2_changes_a_table_when_those_who_work_with_it_are_done() throws Exception {
        database = EmptyDatabases.of(Dialect.H2);
        makeTheTablesOfToday(Dialect.H2);

        try (Connection other = locks("insert into treadle_ready (lane, priority, run_at, job_id, attempt)"
                        + " values (0, 0, current_timestamp, random_uuid(), 0)");
                Connection connection = database.getConnection()) {
            migrations(Dialect.H2, other::rollback).apply(connection, database);

            assertEquals(1, rests.get());
        }
        validate(Dialect.H2);
    }

    @Test
    void h2_migrates_although_somebody_committed_the_row_that_is_the_lock() throws Exception {
        database = EmptyDatabases.of(Dialect.H2);
        makeTheTablesOfToday(Dialect.H2);
        EmptyDatabases.execute(
                database,
                "insert into treadle_schema (name, checksum, applied_at) values ('lock', 0, current_timestamp)");

        try (Connection connection = database.getConnection()) {
            migrations(Dialect.H2, () -> {}).apply(connection, database);
        }

        assertEquals(0, rests.get());
        validate(Dialect.H2);
    }

    @Test
    void a_pool_of_one_connection_is_told_to_have_two_on_h2() {
        database = poolOfOne("jdbc:h2:mem:one;DB_CLOSE_DELAY=-1;USER=sa");

        String known = assertThrows(IllegalStateException.class, () -> SqlStorageProvider.using(database))
                .getMessage();
        String unknown = assertThrows(
                        StorageException.class, () -> SqlStorageProvider.using(giving(database::getConnection)))
                .getMessage();

        assertTrue(known.startsWith("The pool has a maximumPoolSize of 1."), known);
        assertTrue(unknown.contains("the pool gave no second connection"), unknown);
        for (String message : new String[] {known, unknown}) {
            assertTrue(message.contains("takes two connections at once"), message);
            assertTrue(message.contains("Schema.VALIDATE"), message);
        }
    }

    @Test
    void one_connection_that_is_given_to_everybody_is_told_apart_on_h2() throws Exception {
        database = EmptyDatabases.of(Dialect.H2);
        try (Connection only = database.getConnection()) {
            Connection unclosed = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("close") ? null : method.invoke(only, arguments));

            String message = assertThrows(
                            IllegalStateException.class, () -> SqlStorageProvider.using(giving(() -> unclosed)))
                    .getMessage();

            assertTrue(message.startsWith("The DataSource gives the same connection again and again."), message);
        }
    }

    @Test
    void a_pool_of_one_connection_opens_tables_that_are_up_to_date_on_h2() {
        database = EmptyDatabases.of(Dialect.H2);
        SqlStorageProvider.using(database).close();
        try (HikariDataSource one = poolOfOne(database.getJdbcUrl())) {
            SqlStorageProvider.using(one).close();
        }
    }

    private static HikariDataSource poolOfOne(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250);
        return new HikariDataSource(config);
    }

    private interface Free {
        void run() throws SQLException;
    }

    /** @param free what happens while it rests: whoever stands in its way lets go */
    private Migrations migrations(Dialect dialect, Free free) {
        Runnable rest = () -> {
            rests.incrementAndGet();
            try {
                free.run();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        };
        return dialect == Dialect.POSTGRESQL
                ? new PostgresMigrations(SchemaName.OF_CONNECTION, rest, steps(dialect), TABLE_LOCK_MILLIS)
                : new H2Migrations(SchemaName.OF_CONNECTION, rest, steps(dialect));
    }

    private static List<Migration> steps(Dialect dialect) {
        return Stream.concat(Migration.all(dialect.name()).stream(), Stream.of(LATER))
                .toList();
    }

    private void makeTheTablesOfToday(Dialect dialect) throws SQLException {
        try (Connection connection = database.getConnection()) {
            EmptyDatabases.migrations(dialect).apply(connection, database);
        }
    }

    private void validate(Dialect dialect) throws SQLException {
        try (Connection connection = database.getConnection()) {
            migrations(dialect, () -> {}).validate(connection);
        }
    }

    /** Somebody's transaction, in the middle. */
    private Connection locks(String sql) throws SQLException {
        Connection other = database.getConnection();
        other.setAutoCommit(false);
        try (var statement = other.createStatement()) {
            statement.execute(sql);
        }
        return other;
    }

    private interface Source {
        Connection get() throws SQLException;
    }

    /** A DataSource of which nothing else is known. */
    private DataSource giving(Source source) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isWrapperFor")) {
                        return false;
                    }
                    assertEquals("getConnection", method.getName());
                    return source.get();
                });
    }
}
