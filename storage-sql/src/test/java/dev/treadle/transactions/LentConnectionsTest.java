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
import dev.treadle.job.KeyRule;
import dev.treadle.job.Unique;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is called in a caller's transaction, the connection stays the caller's: nothing ends it or changes how it works. */
@ParameterizedClass
@EnumSource(Dialect.class)
class LentConnectionsTest {
    /** What only the caller may do. To go back to a savepoint is no rollback of the transaction. */
    private static final Set<String> CALLERS = Set.of(
            "commit",
            "rollback",
            "close",
            "abort",
            "setAutoCommit",
            "setReadOnly",
            "setTransactionIsolation",
            "setSchema",
            "setCatalog",
            "setHoldability",
            "setNetworkTimeout",
            "setClientInfo");

    private final HikariDataSource database;
    private final Treadle treadle;
    private final JobScheduler jobs;
    private final List<String> touched = new ArrayList<>();

    record Mail(String to) implements JobRequest<Void> {}

    LentConnectionsTest(Dialect dialect) {
        this.database = EmptyDatabases.of(dialect);
        this.treadle = Treadle.on(SqlStorageProvider.using(database)).enqueueOnly();
        this.jobs = treadle.jobs();
    }

    @AfterEach
    void close() {
        treadle.close();
        database.close();
    }

    /** Notes, and does not do, what only the caller may do; texts of statements are looked at as well. */
    private Connection watched(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean plain = arguments == null || !method.getName().equals("rollback");
                    if (CALLERS.contains(method.getName()) && plain) {
                        touched.add(method.getName());
                        return null;
                    }
                    Object result = invoked(connection, method, arguments);
                    if (arguments != null && arguments[0] instanceof String text) {
                        look(text);
                    }
                    return result instanceof Statement statement
                                    && method.getName().equals("createStatement")
                            ? watched(statement)
                            : result;
                });
    }

    private Statement watched(Statement statement) {
        return (Statement) Proxy.newProxyInstance(
                Statement.class.getClassLoader(), new Class<?>[] {Statement.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof String text) {
                        look(text);
                    }
                    return invoked(statement, method, arguments);
                });
    }

    private void look(String sql) {
        String text = sql.strip().toLowerCase(Locale.ROOT);
        boolean ends = text.startsWith("commit")
                || text.startsWith("rollback") && !text.startsWith("rollback to savepoint")
                || text.startsWith("begin")
                || text.startsWith("set ");
        if (ends) {
            touched.add(sql);
        }
    }

    private static Object invoked(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void no_call_ends_or_changes_the_callers_transaction() throws SQLException {
        JobId there = jobs.schedule(Duration.ofHours(1), new Mail("there"));
        JobId ended = jobs.schedule(Duration.ofHours(1), new Mail("ended"));
        jobs.cancel(ended, "test", null);
        List<JobId> written = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            JobScheduler in = jobs.in(watched(connection));
            for (String round : List.of("first", "again")) {
                written.add(in.enqueue(new Mail(round)));
                written.add(in.schedule(Instant.now().plusSeconds(60), new Mail(round)));
                written.addAll(in.enqueueAll(Stream.of(new Mail(round), new Mail(round + " 2"))));
                written.addAll(
                        in.enqueueAll(Stream.generate(() -> new Mail(round)).limit(1_500)));
                written.add(in.with(JobOptions.DEFAULT.withId(written.get(0))).enqueue(new Mail(round)));
                written.add(in.with(JobOptions.DEFAULT.withKey(KeyRule.mailbox("key")))
                        .enqueue(new Mail(round)));
                written.add(in.with(JobOptions.DEFAULT.withKey(KeyRule.limit("limit", 2)))
                        .enqueue(new Mail(round)));
                in.with(JobOptions.DEFAULT.withUnique(Unique.by("name"))).tryEnqueue(new Mail(round));
                in.recurring("dawn", Schedule.cron("0 6 * * *", ZoneOffset.UTC), new Mail(round));
                in.recurring().pause("dawn", "test", null);
                in.recurring().resume("dawn", "test", null);
                in.recurring().trigger("dawn").ifPresent(written::add);
                in.cancel(there, "test", null);
                in.runAgain(ended, "test", null);
                assertTrue(in.find(written.get(0)).isPresent());
                assertEquals(1, in.recurring().list().size());
                in.states(written.subList(0, 3));
                in.notes(there);
                in.stillRunning();
            }
            assertEquals(List.of(), touched);
            assertFalse(connection.getAutoCommit());
            assertFalse(connection.isClosed());
            connection.rollback();
        }

        written.forEach(id -> assertFalse(jobs.find(id).isPresent()));
        assertEquals(List.of(), jobs.recurring().list());
    }

    @Test
    void nor_does_a_call_that_fails() throws SQLException {
        JobOptions keyed = JobOptions.DEFAULT.withKey(KeyRule.mailbox("key"));
        try (Connection other = database.getConnection();
                Connection connection = database.getConnection();
                Statement patience = connection.createStatement()) {
            other.setAutoCommit(false);
            jobs.in(other).with(keyed).enqueue(new Mail("other"));
            connection.setAutoCommit(false);
            if (database.getJdbcUrl().contains("postgresql")) {
                patience.execute("set local lock_timeout = 300");
            } else if (database.getJdbcUrl().contains("mariadb")) {
                patience.execute("set innodb_lock_wait_timeout = 1");
            }
            JobScheduler in = jobs.in(watched(connection));
            JobId before = in.enqueue(new Mail("before"));
            assertThrows(StorageException.class, () -> in.with(keyed).enqueue(new Mail("too late")));
            assertTrue(in.find(before).isPresent());
            assertEquals(List.of(), touched);
            connection.commit();
            other.rollback();

            assertTrue(jobs.find(before).isPresent());
        }
    }

    @Test
    void nor_is_a_connection_touched_that_is_refused() throws SQLException {
        try (Connection connection = database.getConnection();
                HikariDataSource empty = EmptyDatabases.pool("jdbc:h2:mem:" + UUID.randomUUID());
                Connection elsewhere = empty.getConnection()) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> jobs.in(watched(connection)).enqueue(new Mail("no")));
            elsewhere.setAutoCommit(false);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> jobs.in(watched(elsewhere)).enqueue(new Mail("no")));

            assertEquals(List.of(), touched);
        }
    }
}
