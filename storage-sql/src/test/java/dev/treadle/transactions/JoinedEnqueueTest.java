package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.transaction.TransactionMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are enqueued in a transaction of the application, beside its own rows. */
@ParameterizedClass
@EnumSource(Dialect.class)
class JoinedEnqueueTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final HikariDataSource database;
    private final Set<String> ran = ConcurrentHashMap.newKeySet();
    private final Treadle treadle;
    private final JobScheduler jobs;

    record Mail(String to) implements JobRequest<Void> {}

    JoinedEnqueueTest(Dialect dialect) {
        this.database = EmptyDatabases.of(dialect);
        this.treadle = Treadle.on(SqlStorageProvider.using(database))
                .handler(Mail.class, (mail, job) -> ran.add(mail.to()))
                .start();
        this.jobs = treadle.jobs();
    }

    @BeforeEach
    void table() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement create = connection.createStatement()) {
            create.execute("drop table if exists orders");
            create.execute("create table orders (id int)");
        }
    }

    @AfterEach
    void close() {
        treadle.close();
        database.close();
    }

    @Test
    void is_seen_by_no_other_before_the_commit_and_runs_after_it() throws SQLException {
        JobId id;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            id = jobs.in(connection).enqueue(new Mail("a"));

            assertTrue(jobs.in(connection).find(id).isPresent(), "its own transaction sees it");
            assertFalse(jobs.find(id).isPresent(), "no other sees it");
            connection.commit();
            connection.setAutoCommit(true);
        }
        Awaitility.await().atMost(SOON).until(() -> ran.contains("a"));
        assertEquals(1, orders());
    }

    @Test
    void is_never_there_after_a_rollback() throws SQLException {
        JobId id;
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            insert(connection, 1);
            id = jobs.in(connection).enqueue(new Mail("b"));
            connection.rollback();
            connection.setAutoCommit(true);
        }

        assertFalse(jobs.find(id).isPresent());
        assertEquals(0, orders());
    }

    @Test
    void a_block_commits_rows_and_jobs_together_and_joins_what_is_enqueued_in_it() {
        JobId id = jobs.transaction(database, connection -> {
            insert(connection, 1);
            JobId first = jobs.enqueue(new Mail("c"));
            assertFalse(jobs.with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.OWN))
                    .find(first)
                    .isPresent());
            return first;
        });

        Awaitility.await().atMost(SOON).until(() -> ran.contains("c"));
        assertTrue(jobs.find(id).isPresent());
        assertEquals(1, orders());
    }

    @Test
    void a_block_that_throws_leaves_nothing() {
        JobId[] id = new JobId[1];

        assertThrows(
                IllegalStateException.class,
                () -> jobs.transaction(database, connection -> {
                    insert(connection, 1);
                    id[0] = jobs.enqueue(new Mail("d"));
                    throw new IllegalStateException("no");
                }));

        assertFalse(jobs.find(id[0]).isPresent());
        assertEquals(0, orders());
    }

    @Test
    void modes_enqueue_after_the_commit_or_at_once() {
        JobScheduler after = jobs.with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.AFTER_COMMIT));
        JobScheduler own = jobs.with(JobOptions.DEFAULT.withTransactionMode(TransactionMode.OWN));
        JobId[] ids = new JobId[3];

        assertThrows(
                IllegalStateException.class,
                () -> jobs.transaction(database, connection -> {
                    ids[0] = after.enqueue(new Mail("never"));
                    ids[1] = own.enqueue(new Mail("always"));
                    throw new IllegalStateException("no");
                }));
        jobs.transaction(database, connection -> {
            ids[2] = after.enqueue(new Mail("later"));
            assertFalse(own.find(ids[2]).isPresent());
            return null;
        });

        assertFalse(jobs.find(ids[0]).isPresent());
        assertTrue(jobs.find(ids[1]).isPresent());
        assertTrue(jobs.find(ids[2]).isPresent());
    }

    @Test
    void the_same_id_again_leaves_the_transaction_usable() {
        JobId id = jobs.enqueue(new Mail("e"));
        JobScheduler again = jobs.with(JobOptions.DEFAULT.withId(id));

        jobs.transaction(database, connection -> {
            insert(connection, 1);
            assertEquals(id, again.enqueue(new Mail("e")));
            insert(connection, 2);
            return null;
        });

        assertEquals(2, orders());
    }

    private static void insert(Connection connection, int id) {
        try (Statement insert = connection.createStatement()) {
            insert.execute("insert into orders values (" + id + ")");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private int orders() {
        try (Connection connection = database.getConnection();
                Statement count = connection.createStatement();
                ResultSet row = count.executeQuery("select count(*) from orders")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
