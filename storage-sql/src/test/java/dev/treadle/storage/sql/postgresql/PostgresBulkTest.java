package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import dev.treadle.storage.sql.rows.LaneIds;
import dev.treadle.storage.sql.session.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When jobs are copied, and what is left when they cannot be. That copied jobs are like others, the contracts say. */
class PostgresBulkTest {
    private static final NodeId NODE = new NodeId(1);

    private final Jobs jobs = new Jobs();
    private HikariDataSource database;
    private SqlStorageProvider storage;

    @BeforeEach
    void open() {
        database = EmptyDatabases.of(Dialect.POSTGRESQL);
        storage = SqlStorageProvider.using(database);
    }

    @AfterEach
    void close() {
        storage.close();
        database.close();
    }

    @Test
    void many_jobs_with_fresh_ids_are_copied() throws Exception {
        assertTrue(isCopied(jobs.enqueuedJobs(PostgresCopy.ROWS_MIN)));
        assertEquals(PostgresCopy.ROWS_MIN, count(StateName.ENQUEUED));
    }

    @Test
    void few_jobs_are_not() throws Exception {
        assertFalse(isCopied(jobs.enqueuedJobs(PostgresCopy.ROWS_MIN - 1)));
        assertEquals(0, count(StateName.ENQUEUED));
    }

    @Test
    void jobs_are_not_copied_if_one_has_an_id_that_may_come_again() throws Exception {
        List<NewJob> many = new ArrayList<>(jobs.enqueuedJobs(PostgresCopy.ROWS_MIN));
        JobId derived = jobs.nextId().derive("child");
        many.set(
                7,
                new NewJob(
                        derived, many.get(7).invocation(), Due.NOW, many.get(7).traits()));

        assertFalse(isCopied(many));
        assertEquals(0, count(StateName.ENQUEUED));
    }

    @Test
    void nothing_is_copied_if_one_is_there_already() throws Exception {
        List<NewJob> many = jobs.enqueuedJobs(PostgresCopy.ROWS_MIN);
        storage.insert(many.subList(3, 4));

        assertFalse(isCopied(many));
        assertEquals(1, count(StateName.ENQUEUED));
    }

    @Test
    void nothing_is_copied_within_a_transaction_which_a_refusal_would_end() throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertFalse(PostgresBulk.insert(session(connection), LaneIds.DEFAULT, jobs.enqueuedJobs(500)));
            connection.rollback();
        }
    }

    @Test
    void text_that_cannot_be_stored_is_told_and_its_batch_left_out_as_a_whole() {
        List<NewJob> many = new ArrayList<>(jobs.enqueuedJobs(PostgresCopy.ROWS_MIN));
        many.add(jobs.withArguments("[\"a\0b\"]"));

        StorageException e = assertThrows(StorageException.class, () -> storage.insert(many));

        assertFalse(e.isWorthRepeating());
        assertTrue(e.getMessage().contains("0x00"), e.getMessage());
        assertEquals(0, count(StateName.ENQUEUED));
        assertEquals(Set.of(), storage.insert(many.subList(0, PostgresCopy.ROWS_MIN)), "its connection is whole");
        assertEquals(PostgresCopy.ROWS_MIN, count(StateName.ENQUEUED));
    }

    @Test
    void what_fails_by_statement_as_well_is_told_and_the_leases_stay() throws Exception {
        List<Transition> endings = claimed(PostgresCopy.ROWS_MIN);
        EmptyDatabases.execute(database, "alter table treadle_history rename to elsewhere");

        assertThrows(StorageException.class, () -> storage.record(endings));

        EmptyDatabases.execute(database, "alter table elsewhere rename to treadle_history");
        assertEquals(PostgresCopy.ROWS_MIN, count(StateName.PROCESSING));
        assertEquals(Collections.nCopies(endings.size(), WriteResult.WRITTEN), storage.record(endings));
        assertEquals(PostgresCopy.ROWS_MIN, count(StateName.SUCCEEDED));
    }

    @Test
    void a_database_that_lets_nobody_copy_gets_statements() throws Exception {
        for (String table : List.of("treadle_job", "treadle_ready", "treadle_history")) {
            EmptyDatabases.execute(database, "alter table " + table + " enable row level security");
            EmptyDatabases.execute(database, "alter table " + table + " force row level security");
            EmptyDatabases.execute(
                    database, "create policy everything on " + table + " using (true) with check (true)");
        }
        // roles are the whole cluster's
        String role = "treadle_ruled_" + System.nanoTime();
        EmptyDatabases.execute(database, "create role " + role);
        EmptyDatabases.execute(database, "grant all on all tables in schema public to " + role);
        EmptyDatabases.execute(database, "grant all on all sequences in schema public to " + role);
        DataSource ruled = proxy(DataSource.class, database, (method, answer) -> {
            if (answer instanceof Connection connection) {
                try (Statement set = connection.createStatement()) {
                    set.execute("set role " + role);
                }
            }
            return answer;
        });
        SqlStorageProvider plain = SqlStorageProvider.using(
                ruled, SqlStorageSettings.DEFAULT.withSchema(SqlStorageSettings.Schema.VALIDATE));
        List<NewJob> many = jobs.enqueuedJobs(PostgresCopy.ROWS_MIN);
        try (Connection connection = ruled.getConnection()) {
            assertFalse(PostgresBulk.insert(session(connection), LaneIds.DEFAULT, many), "it was copied all the same");
        }

        assertEquals(Set.of(), plain.insert(many));
        List<Transition> endings = new ArrayList<>();
        plain.claim(NODE, PostgresCopy.ROWS_MIN)
                .forEach(lease -> endings.add(AttemptEnd.succeeded(lease, Duration.ZERO)));

        assertEquals(Collections.nCopies(PostgresCopy.ROWS_MIN, WriteResult.WRITTEN), plain.record(endings));
        plain.close();
    }

    @Test
    void a_pool_that_keeps_the_drivers_connections_to_itself_gets_statements() {
        SqlStorageProvider wrapped = SqlStorageProvider.using(withoutUnwrap(database));

        assertEquals(Set.of(), wrapped.insert(jobs.enqueuedJobs(PostgresCopy.ROWS_MIN)));

        List<Transition> endings = new ArrayList<>();
        wrapped.claim(NODE, PostgresCopy.ROWS_MIN)
                .forEach(lease -> endings.add(AttemptEnd.succeeded(lease, Duration.ZERO)));
        wrapped.record(endings);
        assertEquals(PostgresCopy.ROWS_MIN, count(StateName.SUCCEEDED));
        wrapped.close();
    }

    private List<Transition> claimed(int count) {
        storage.insert(jobs.enqueuedJobs(count));
        List<Transition> endings = new ArrayList<>();
        storage.claim(NODE, count).forEach(lease -> endings.add(AttemptEnd.succeeded(lease, Duration.ZERO)));
        return endings;
    }

    private boolean isCopied(List<NewJob> many) throws Exception {
        try (Connection connection = database.getConnection()) {
            boolean copied = PostgresBulk.insert(session(connection), LaneIds.DEFAULT, many);
            assertTrue(connection.getAutoCommit(), "the next who borrows the connection finds it as it was");
            return copied;
        }
    }

    private static Session session(Connection connection) {
        return new Session(connection, EmptyDatabases.statements(Dialect.POSTGRESQL));
    }

    private long count(StateName state) {
        return storage.search().counts().get(state);
    }

    private static DataSource withoutUnwrap(DataSource pool) {
        return proxy(
                DataSource.class,
                pool,
                (method, answer) -> answer instanceof Connection connection
                        ? proxy(
                                Connection.class,
                                connection,
                                (asked, given) -> asked.equals("isWrapperFor") ? false : given)
                        : answer);
    }

    private static <T> T proxy(Class<T> type, T real, Changed changed) {
        return type.cast(Proxy.newProxyInstance(
                PostgresBulkTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return changed.of(method.getName(), method.invoke(real, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private interface Changed {
        Object of(String method, Object answer) throws Exception;
    }
}
