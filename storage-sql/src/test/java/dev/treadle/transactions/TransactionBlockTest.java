package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.Unique;
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

/** Transactions that the scheduler itself begins and ends, and what can go wrong with them. */
@ParameterizedClass
@EnumSource(
        value = JoinedDatabase.class,
        names = {"H2", "POSTGRESQL"})
@Timeout(300)
class TransactionBlockTest extends JoinedFixture {
    TransactionBlockTest(JoinedDatabase kind) {
        super(kind);
    }

    private int jobCount() {
        return JoinedDatabase.number(database, "select count(*) from treadle_job");
    }

    private static void assertSays(Throwable failed, String... parts) {
        for (String part : parts) {
            assertTrue(String.valueOf(failed.getMessage()).contains(part), failed.getMessage());
        }
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_second_one_on_the_same_thread_is_refused_and_the_first_goes_on() {
        JobId id = jobs.transaction(database, connection -> {
            IllegalStateException refused = assertThrows(
                    IllegalStateException.class,
                    () -> jobs.with(JobOptions.DEFAULT).transaction(database, inner -> jobs.enqueue(new Mail("b"))));
            assertSays(refused, "already", "connection of the first");
            return jobs.enqueue(new Mail("a"));
        });

        assertTrue(jobs.find(id).isPresent());
        assertEquals(1, jobCount());
        // and the next is not
        jobs.transaction(database, connection -> jobs.enqueue(new Mail("c")));
        assertEquals(2, jobCount());
    }

    @Test
    void what_the_call_throws_comes_out_as_it_is_and_the_connection_goes_back_as_it_came() throws SQLException {
        SQLException thrown = new SQLException("mine");

        assertSame(
                thrown,
                assertThrows(
                        SQLException.class,
                        () -> jobs.transaction(database, connection -> {
                            jobs.enqueue(new Mail("a"));
                            throw thrown;
                        })));

        assertEquals(0, jobCount());
        try (Connection connection = database.getConnection()) {
            assertTrue(connection.getAutoCommit());
        }
    }

    @Test
    void a_data_source_whose_connections_are_in_a_transaction_is_refused() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.getJdbcUrl());
        config.setAutoCommit(false);
        try (HikariDataSource inTransaction = new HikariDataSource(config)) {
            assertSays(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> jobs.transaction(inTransaction, connection -> jobs.enqueue(new Mail("a")))),
                    "autocommit off",
                    "jobs.in(connection)");
        }
    }

    @Test
    void a_pool_that_has_no_connection_left() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.getJdbcUrl());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(300);
        try (HikariDataSource small = new HikariDataSource(config);
                Connection only = small.getConnection()) {
            assertFalse(only.isClosed());
            StorageException refused = assertThrows(
                    StorageException.class, () -> jobs.transaction(small, connection -> jobs.enqueue(new Mail("a"))));
            assertSays(refused, "no connection in time", "larger");
            assertTrue(refused.isWorthRepeating());
        }
    }

    @Test
    void a_commit_that_the_database_refuses_says_that_nothing_is_there() {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 checks constraints at once.");
        EmptyDatabases.execute(
                database,
                "create table line (id int, of_order int references orders (id) deferrable initially deferred)");

        StorageException refused = assertThrows(
                StorageException.class,
                () -> jobs.transaction(database, connection -> {
                    execute(connection, "insert into line values (1, 99)");
                    return jobs.enqueue(new Mail("a"));
                }));

        assertSays(refused, "refused the commit", "nothing of the transaction is there", "Mend");
        assertFalse(refused.isWorthRepeating());
        assertEquals(0, jobCount());
    }

    @Test
    void a_connection_that_is_lost_before_the_commit_says_that_it_is_not_known() {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 runs in this process.");

        StorageException lost = assertThrows(
                StorageException.class,
                () -> jobs.transaction(database, connection -> {
                    JobId id = jobs.enqueue(new Mail("a"));
                    int pid = backend(connection);
                    EmptyDatabases.execute(database, "select pg_terminate_backend(" + pid + ", 20000)");
                    return id;
                }));

        assertSays(lost, "may have been committed or not", "withId");
        assertTrue(lost.isWorthRepeating());
        assertEquals(0, jobCount());
    }

    private static int backend(Connection connection) {
        try (Statement ask = connection.createStatement();
                var row = ask.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_unique_job_is_not_put_off() {
        JobScheduler later = jobs.with(
                JobOptions.DEFAULT.withUnique(Unique.by("one")).withTransactionMode(TransactionMode.AFTER_COMMIT));

        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> jobs.transaction(database, connection -> later.enqueue(new Mail("a"))));

        assertSays(refused, "AFTER_COMMIT", "JOIN or OWN");
        assertEquals(0, jobCount());
    }

    @Test
    void of_what_follows_the_commit_all_is_done_and_what_failed_is_told() {
        JobScheduler later = jobs.with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.AFTER_COMMIT));
        EmptyDatabases.execute(
                database, "alter table treadle_job add constraint no_bad check (arguments not like '%bad%')");
        JobId[] ids = new JobId[2];

        StorageException failed = assertThrows(
                StorageException.class,
                () -> jobs.transaction(database, connection -> {
                    JoinedDatabase.order(connection, 1);
                    later.enqueue(new Mail("bad"));
                    later.enqueue(new Mail("bad as well"));
                    ids[0] = later.enqueue(new Mail("good"));
                    ids[1] = jobs.enqueue(new Mail("joined"));
                    return null;
                }));

        assertSays(failed, "has been committed", "do not repeat it", "2 of ");
        assertFalse(failed.isWorthRepeating());
        assertEquals(1, failed.getSuppressed().length);
        assertEquals(2, jobs.states(java.util.List.of(ids)).size());
        assertEquals(1, JoinedDatabase.number(database, "select count(*) from orders"));
    }

    @Test
    void it_runs_although_the_pool_has_a_single_connection_to_give_beside_those_of_the_storage() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.getJdbcUrl());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(2_000);
        try (HikariDataSource small = new HikariDataSource(config);
                Treadle own = Treadle.on(kind.storage(small))
                        .handler(Mail.class, (mail, job) -> {})
                        .enqueueOnly()) {
            JobScheduler later = own.jobs().with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.AFTER_COMMIT));
            JobId id = own.jobs().transaction(small, connection -> {
                own.jobs().enqueue(new Mail("joined"));
                return later.enqueue(new Mail("later"));
            });
            assertTrue(own.jobs().find(id).isPresent());
        }
    }
}
