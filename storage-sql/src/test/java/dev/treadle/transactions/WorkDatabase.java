package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.Failure;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.OnePlace;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import dev.treadle.transaction.TransactionMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;

/** A database of its own with a table of effects, and a server whose jobs run what a test gives them. */
final class WorkDatabase implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(30);
    static final JobOptions OWN = JobOptions.DEFAULT.withTransactionMode(TransactionMode.OWN);

    private final HikariDataSource database;
    private final Treadle treadle;
    private final Map<String, Code> codes = new ConcurrentHashMap<>();
    private final AtomicInteger names = new AtomicInteger();
    private final List<String> ranBeside = new CopyOnWriteArrayList<>();
    private final List<AssertionError> unexpected = new CopyOnWriteArrayList<>();
    private final AtomicInteger succeeded = new AtomicInteger();

    /** A database, and how the storage uses it. */
    enum Kind {
        H2,
        POSTGRESQL,
        PORTABLE_POSTGRESQL,
        /** On a pool that the application brings. */
        POOL_OF_POSTGRESQL,
        MARIADB
    }

    /** What one job does. */
    @FunctionalInterface
    interface Code {
        Object run(JobContext job) throws Exception;
    }

    record Work(String name) implements JobRequest<String> {}

    WorkDatabase(Kind kind) {
        Dialect dialect = switch (kind) {
            case H2 -> Dialect.H2;
            case MARIADB -> Dialect.MARIADB;
            case POSTGRESQL, PORTABLE_POSTGRESQL, POOL_OF_POSTGRESQL -> Dialect.POSTGRESQL;
        };
        database = EmptyDatabases.of(dialect);
        EmptyDatabases.execute(database, "create table effect (n int)");
        SqlStorageSettings settings = SqlStorageSettings.DEFAULT.withPortableSql(kind == Kind.PORTABLE_POSTGRESQL);
        SqlStorageProvider storage = kind == Kind.POOL_OF_POSTGRESQL
                ? SqlStorageProvider.using(database, settings)
                : SqlStorageProvider.open(database.getJdbcUrl(), null, null, settings);
        treadle = Treadle.on(storage)
                .resultHandler(Work.class, this::run)
                .settings(JobServerSettings.DEFAULT
                        .withWorkers(4)
                        .withRetries(RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(20), Duration.ofMillis(100))))
                .intercept(new JobInterceptor() {
                    @Override
                    public void onStateChange(JobId id, StateName to, Failure why) {
                        if (to == StateName.SUCCEEDED) {
                            succeeded.incrementAndGet();
                        }
                    }
                })
                .start();
    }

    private String run(Work work, JobContext job) throws Exception {
        Code code = codes.get(work.name());
        if (code == null) {
            ranBeside.add(work.name());
            return null;
        }
        Object result = code.run(job);
        return result == null ? null : result.toString();
    }

    JobScheduler jobs() {
        return treadle.jobs();
    }

    Treadle treadle() {
        return treadle;
    }

    HikariDataSource database() {
        return database;
    }

    DataSource ownPool() {
        return treadle.storage().dataSource().orElseThrow();
    }

    JobId run(Code code) {
        return run(JobOptions.DEFAULT, code);
    }

    JobId run(JobOptions options, Code code) {
        String name = "code " + names.incrementAndGet();
        codes.put(name, code);
        return treadle.jobs().with(options).enqueue(new Work(name));
    }

    static Object effect(Connection connection, int n) throws SQLException {
        try (Statement insert = connection.createStatement()) {
            return insert.executeUpdate("insert into effect values (" + n + ")");
        }
    }

    static Object unchecked(Connection connection, int n) {
        try {
            return effect(connection, n);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    int effects() {
        try (Connection connection = database.getConnection();
                Statement count = connection.createStatement();
                ResultSet row = count.executeQuery("select count(*) from effect")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    StateName stateOf(JobId id) {
        return treadle.jobs().with(OWN).states(List.of(id)).get(id);
    }

    boolean seenByOthers(JobId id) {
        return treadle.jobs().with(OWN).find(id).isPresent();
    }

    int attemptsOf(JobId id) {
        return treadle.jobs().find(id).orElseThrow().history().size();
    }

    void untilEnded(JobId id, StateName as) {
        Awaitility.await().atMost(SOON).until(() -> stateOf(id).isFinal());
        assertEquals(as, stateOf(id));
    }

    /** Until no job waits or runs, and all endings have been told of. */
    void untilIdle() {
        Awaitility.await().atMost(SOON).until(() -> {
            Map<StateName, Long> counts =
                    AdminStorage.of(treadle.storage()).search().counts();
            return counts.getOrDefault(StateName.PROCESSING, 0L) == 0
                    && counts.getOrDefault(StateName.ENQUEUED, 0L) == 0
                    && counts.getOrDefault(StateName.SCHEDULED, 0L) == 0
                    && treadle.server().orElseThrow().inFlight() == 0;
        });
    }

    /** Names of jobs that no test has given code. */
    List<String> ranBeside() {
        return ranBeside;
    }

    /** How often interceptors heard of a success. */
    int succeededHere() {
        return succeeded.get();
    }

    void unexpected(AssertionError error) {
        unexpected.add(error);
    }

    List<AssertionError> unexpected() {
        return unexpected;
    }

    @Override
    public void close() throws SQLException {
        treadle.close();
        List<String> violations = OnePlace.violations(database);
        database.close();
        assertEquals(List.of(), violations);
        assertEquals(List.of(), unexpected);
    }
}
