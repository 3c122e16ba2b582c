package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.Pooler;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PgBouncer between Treadle and PostgreSQL. */
class PoolerTest extends Faults {
    /** Enqueuing threads, more than there are sessions on the server. */
    private static final int THREADS = 12;

    private static final int ROUNDS = 40;
    /** A batch that is copied, which takes a transaction of several statements. */
    private static final int BATCH = 120;

    @BeforeEach
    void a_pooler_is_installed() {
        assumeTrue(PgBouncer.program().isPresent(), "There is no PgBouncer here: ./treadle setup installs it.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void every_acknowledged_job_runs_with_the_url_of_an_application_that_knows_nothing_of_poolers(String mode)
            throws Exception {
        Set<JobId> acknowledged = ConcurrentHashMap.newKeySet();
        Set<JobId> ran = ConcurrentHashMap.newKeySet();
        // in session mode each client keeps a session, so there have to be as many as two pools want
        try (PgBouncer pooler = PgBouncer.start(postgres, mode, mode.equals("session") ? 40 : PgBouncer.SESSIONS);
                Treadle server = Treadle.on(SqlStorageProvider.open(pooler.url(), null, null))
                        .handler(FaultWork.class, (work, job) -> {
                            ran.add(job.jobId());
                        })
                        .executor("pool")
                        .settings(JobServerSettings.DEFAULT.withWorkers(8))
                        .start();
                Treadle client = Treadle.on(SqlStorageProvider.open(pooler.url(), null, null))
                        .enqueueOnly()) {
            List<String> failures = enqueue(client, acknowledged);
            failures.addAll(enqueue(server, acknowledged));
            until(
                    "nothing waits or runs",
                    () -> count("select (select count(*) from treadle_ready)"
                                    + " + (select count(*) from treadle_lease)")
                            == 0);
            Set<JobId> succeeded = jobs("select job_id from treadle_history where event = 0");
            Set<JobId> lost = new HashSet<>(acknowledged);
            lost.removeAll(succeeded);
            report(mode + " mode: " + acknowledged.size() + " acknowledged, " + lost.size() + " of them lost, "
                    + failures.size() + " calls failed" + (failures.isEmpty() ? "" : ", such as: " + failures.get(0)));

            assertEquals(Set.of(), lost, "acknowledged and never ended");
            assertTrue(ran.containsAll(acknowledged), "each has run");
            assertEquals(List.of(), failures);
        }
    }

    @Test
    void no_setting_stays_in_a_session_that_others_use() throws Exception {
        String settings = "select string_agg(name || '=' || setting, ', ' order by name) from pg_settings where name in"
                + " ('enable_seqscan', 'jit', 'client_min_messages', 'lock_timeout', 'statement_timeout',"
                + " 'idle_in_transaction_session_timeout', 'tcp_keepalives_idle', 'default_transaction_isolation')";
        String untouched = text(database, settings);
        try (PgBouncer pooler = PgBouncer.start(postgres, "transaction", PgBouncer.SESSIONS);
                Treadle client = Treadle.on(SqlStorageProvider.open(pooler.url(), null, null))
                        .enqueueOnly()) {
            assertEquals(List.of(), enqueue(client, ConcurrentHashMap.newKeySet()));
            // one transaction on each session at once, so that all of them are seen
            List<Connection> others = new ArrayList<>();
            Set<String> seen = new HashSet<>();
            Set<String> sessions = new HashSet<>();
            try {
                for (int i = 0; i < PgBouncer.SESSIONS; i++) {
                    Connection other = DriverManager.getConnection(pooler.url() + "&prepareThreshold=0");
                    others.add(other);
                    other.setAutoCommit(false);
                    sessions.add(text(other, "select pg_backend_pid()"));
                    seen.add(text(other, settings));
                }
            } finally {
                for (Connection other : others) {
                    other.close();
                }
            }

            assertEquals(PgBouncer.SESSIONS, sessions.size());
            assertEquals(Set.of(untouched), seen);
        }
    }

    @Test
    void a_data_source_that_prepares_statements_is_refused_and_taken_when_it_does_not() throws Exception {
        try (PgBouncer pooler = PgBouncer.start(postgres, "transaction", PgBouncer.SESSIONS)) {
            DataSource prepares = source(pooler.url());
            String message = assertThrows(IllegalArgumentException.class, () -> SqlStorageProvider.using(prepares))
                    .getMessage();

            assertTrue(message.startsWith("A pooler such as PgBouncer stands between"), message);
            assertTrue(message.contains("Add prepareThreshold=0 to the JDBC URL"), message);

            Set<JobId> acknowledged = ConcurrentHashMap.newKeySet();
            try (SqlStorageProvider storage = SqlStorageProvider.using(source(pooler.url() + "&prepareThreshold=0"));
                    Treadle client = Treadle.on(storage).enqueueOnly()) {
                assertTrue(
                        storage.warnings().stream().anyMatch(warning -> warning.contains("are found by polling")),
                        storage.warnings()::toString);
                assertEquals(List.of(), enqueue(client, acknowledged));
            }
            assertEquals(acknowledged, jobs("select id from treadle_job"));
        }
    }

    @Test
    void who_says_that_each_connection_has_its_session_is_not_believed_against_what_is_seen() throws Exception {
        SqlStorageSettings session = SqlStorageSettings.DEFAULT.withPooler(Pooler.SESSION);
        try (PgBouncer sharing = PgBouncer.start(postgres, "transaction", PgBouncer.SESSIONS);
                PgBouncer keeping = PgBouncer.start(postgres, "session", 40)) {
            String message = assertThrows(
                            IllegalArgumentException.class,
                            () -> SqlStorageProvider.open(sharing.url(), null, null, session))
                    .getMessage();
            assertTrue(message.contains("lets two connections share a session"), message);

            try (SqlStorageProvider storage = SqlStorageProvider.open(keeping.url(), null, null, session)) {
                assertEquals(List.of(), storage.warnings());
                hearsOf(storage);
            }
        }
    }

    @Test
    void new_jobs_are_heard_of_on_a_way_past_the_pooler() throws Exception {
        try (PgBouncer pooler = PgBouncer.start(postgres, "transaction", PgBouncer.SESSIONS);
                SqlStorageProvider storage = SqlStorageProvider.open(
                        pooler.url(), null, null, SqlStorageSettings.DEFAULT.withListenOn(database))) {
            assertTrue(
                    storage.warnings().stream().noneMatch(warning -> warning.contains("polling")),
                    storage.warnings()::toString);
            hearsOf(storage);
        }
    }

    /** Another process rings, and this storage hears it. */
    private void hearsOf(SqlStorageProvider storage) {
        AtomicInteger heard = new AtomicInteger();
        NodeInfo node = new NodeInfo(new NodeId(4711), "hears", "pool", 1);
        Runnable hearNoMore = storage.notifications().listen(node.id(), new DueListener() {
            @Override
            public int room(@Nullable Lane lane) {
                return 1;
            }

            @Override
            public void due(@Nullable Lane lane, int jobs) {
                heard.incrementAndGet();
            }

            @Override
            public void lookWithin(Duration rest) {
                heard.incrementAndGet();
            }

            @Override
            public void dueIn(Duration delay) {}
        });
        storage.heartbeat(node);
        until("it listens", () -> heard.get() > 0);
        int before = heard.get();
        enqueuer.jobs().enqueue(FaultWork.good(0, 0));
        until("it hears", () -> heard.get() > before);
        storage.leave(node.id());
        hearNoMore.run();
    }

    private static DataSource source(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    private static String text(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
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

    /** In batches and singly, from many threads at once. Answers what failed. */
    private static List<String> enqueue(Treadle treadle, Set<JobId> acknowledged) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<String>> all = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                for (int round = 0; round < ROUNDS; round++) {
                    boolean single = round % 2 == 0;
                    all.add(threads.submit(() -> {
                        try {
                            acknowledged.addAll(
                                    single
                                            ? List.of(treadle.jobs().enqueue(FaultWork.good(0, 0)))
                                            : treadle.jobs()
                                                    .enqueueAll(IntStream.range(0, BATCH)
                                                            .mapToObj(n -> FaultWork.good(n, 0))));
                            return "";
                        } catch (StorageException e) {
                            return e.getMessage();
                        }
                    }));
                }
            }
            List<String> failures = new ArrayList<>();
            for (Future<String> one : all) {
                if (!one.get().isEmpty()) {
                    failures.add(one.get());
                }
            }
            return failures;
        } finally {
            threads.shutdownNow();
        }
    }

    private Set<JobId> jobs(String sql) throws SQLException {
        Set<JobId> jobs = new HashSet<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                jobs.add(JobId.of(row.getObject(1, UUID.class)));
            }
        }
        return jobs;
    }
}
