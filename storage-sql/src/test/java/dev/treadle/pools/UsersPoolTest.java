package dev.treadle.pools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What each connection pool of an application must do for a storage on it. */
@ParameterizedClass
@EnumSource(UsersPool.class)
@Timeout(300)
class UsersPoolTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Rows and sessions of this test are found by its name in the statements of PostgreSQL. */
    private static final String SESSIONS =
            " from pg_stat_activity where application_name = 'users-pool'" + " and datname = current_database()";

    private final HikariDataSource database = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final UsersPool kind;
    private final UsersPool.Opened opened;
    private final Treadle treadle;

    record Mail(int to) implements JobRequest<Void> {}

    UsersPoolTest(UsersPool kind) throws SQLException {
        this.kind = kind;
        opened = kind.open(database.getJdbcUrl() + "&ApplicationName=users-pool");
        treadle = Treadle.on(SqlStorageProvider.using(opened.pool()))
                .handler(Mail.class, (mail, job) -> {})
                .executor("pool")
                .settings(JobServerSettings.DEFAULT.withWorkers(8))
                .build();
    }

    @BeforeEach
    void make_the_table_of_the_application() {
        EmptyDatabases.execute(database, "create table orders (id int primary key)");
    }

    @AfterEach
    void close() {
        treadle.close();
        opened.close();
        database.close();
    }

    @Test
    void jobs_are_enqueued_claimed_and_completed_and_every_connection_is_given_back() throws Exception {
        treadle.startServer();
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(treadle.jobs().enqueue(new Mail(i)));
        }
        // a batch of this size is copied
        ids.addAll(treadle.jobs().enqueueAll(IntStream.range(0, 200).mapToObj(Mail::new)));
        untilSucceeded(ids);

        treadle.close();

        until("no connection is lent", () -> opened.busy().get() == 0);
    }

    @Test
    void jobs_are_part_of_a_transaction_that_was_begun_on_a_connection_of_the_pool() throws Exception {
        JobId kept;
        JobId undone;
        try (Connection connection = opened.pool().getConnection()) {
            connection.setAutoCommit(false);
            order(connection, 1);
            kept = treadle.jobs().in(connection).enqueue(new Mail(1));
            assertTrue(treadle.jobs().find(kept).isEmpty(), "not before the commit");
            connection.commit();
            order(connection, 2);
            undone = treadle.jobs().in(connection).enqueue(new Mail(2));
            connection.rollback();
            connection.setAutoCommit(true);
        }

        assertEquals(StateName.ENQUEUED, treadle.jobs().states(List.of(kept)).get(kept));
        assertTrue(treadle.jobs().find(undone).isEmpty());
        assertEquals("1", text("select string_agg(id::text, ',') from orders"));
        treadle.startServer();
        untilSucceeded(List.of(kept));
    }

    /** Of every connection: whatever the storage borrows was left like that. */
    @Test
    void a_transaction_that_a_borrower_left_open_is_not_in_the_way_and_the_pool_says_what_becomes_of_it()
            throws Exception {
        leaveAll(connection -> {
            connection.setAutoCommit(false);
            order(connection, text(connection, "select pg_backend_pid()"));
        });
        treadle.jobs().enqueue(new Mail(0));
        leaveAll(connection -> {
            connection.setAutoCommit(false);
            assertThrows(SQLException.class, () -> order(connection, "1 / 0"));
        });

        treadle.startServer();
        untilSucceeded(treadle.jobs().enqueueAll(IntStream.range(0, 200).mapToObj(Mail::new)));

        assertEquals(
                kind.commitsWhatIsLeftOpen() ? String.valueOf(UsersPool.SIZE) : "0",
                text("select count(*) from orders"));
    }

    @Test
    void a_connection_that_was_left_read_only_or_in_another_isolation_is_not_in_the_way() throws Exception {
        leaveAll(connection -> connection.setReadOnly(true));
        treadle.jobs().enqueue(new Mail(0));
        leaveAll(connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));

        treadle.startServer();
        untilSucceeded(treadle.jobs().enqueueAll(IntStream.range(0, 200).mapToObj(Mail::new)));
    }

    @Test
    void sessions_that_the_database_has_ended_are_replaced() throws Exception {
        treadle.startServer();
        untilSucceeded(List.of(treadle.jobs().enqueue(new Mail(0))));
        assertFalse(text("select count(*)" + SESSIONS).equals("0"));

        EmptyDatabases.execute(database, "select pg_terminate_backend(pid, 20000)" + SESSIONS);

        List<JobId> ids = new ArrayList<>();
        until("a job is taken again", () -> {
            try {
                return ids.add(treadle.jobs().enqueue(new Mail(1)));
            } catch (StorageException e) {
                return false;
            }
        });
        untilSucceeded(ids);
    }

    private interface Borrower {
        void use(Connection connection) throws SQLException;
    }

    /** Borrows as many connections at once as there are, and gives them back as they are then. */
    private void leaveAll(Borrower borrower) throws SQLException {
        List<Connection> all = new ArrayList<>();
        try {
            while (all.size() < UsersPool.SIZE) {
                all.add(opened.pool().getConnection());
            }
            for (Connection connection : all) {
                borrower.use(connection);
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
    }

    private void untilSucceeded(List<JobId> ids) {
        until(
                "the jobs have succeeded",
                () -> treadle.jobs().states(ids).values().stream()
                                .filter(state -> state == StateName.SUCCEEDED)
                                .count()
                        == ids.size());
    }

    private static void until(String what, Callable<Boolean> holds) {
        Awaitility.await(what).atMost(LIMIT).until(holds);
    }

    private static void order(Connection connection, Object id) throws SQLException {
        try (Statement insert = connection.createStatement()) {
            insert.execute("insert into orders values (" + id + ")");
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return text(connection, sql);
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
