package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** After the commit servers hear of it at once, here and elsewhere; before it they hear nothing. */
@ParameterizedClass
@EnumSource(
        value = JoinedDatabase.class,
        names = {"H2", "POSTGRESQL"})
@Timeout(300)
class WakeUpTest {
    private static final int JOBS = 15;
    /** Where notifications arrive, regular looks are 2 s apart; elsewhere as far as this test sets them. */
    private static final Duration POLL_MAX = Duration.ofSeconds(10);

    private static final Duration SOON = Duration.ofSeconds(30);

    private final JoinedDatabase kind;
    private final HikariDataSource database;
    private final SqlStorageProvider storage;
    private final Map<Integer, Long> beganNanos = new ConcurrentHashMap<>();
    private @Nullable Treadle here;

    record Work(int number) implements JobRequest<Void> {}

    WakeUpTest(JoinedDatabase kind) {
        this.kind = kind;
        this.database = kind.open();
        this.storage = kind.storage(database);
    }

    @AfterEach
    void close() {
        if (here != null) {
            here.close();
        }
        storage.close();
        database.close();
    }

    private Treadle.Builder on(SqlStorageProvider storage) {
        return Treadle.on(storage)
                .settings(JobServerSettings.DEFAULT.withPollMax(POLL_MAX))
                .handler(Work.class, (work, job) -> beganNanos.put(work.number(), System.nanoTime()));
    }

    private JobScheduler serving() {
        here = on(storage).start();
        return here.jobs();
    }

    /** A server that has nothing in common with who enqueues but the database. */
    private JobScheduler servedElsewhere(Runnable test, SqlStorageProvider elsewhere) {
        here = on(storage).enqueueOnly();
        Awaitility.await().until(() -> elsewhere.notifications().areComplete());
        test.run();
        return here.jobs();
    }

    /** Each after a rest, so that none is found because of the one before. */
    private void mustBeginAtOnce(Consumer<Work> enqueueAndCommit) {
        List<Long> tookMillis = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            int number = i;
            LockSupport.parkNanos((50 + 37L * i % 200) * 1_000_000);
            enqueueAndCommit.accept(new Work(number));
            long committed = System.nanoTime();
            Awaitility.await()
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> beganNanos.containsKey(number));
            tookMillis.add((beganNanos.get(number) - committed) / 1_000_000);
        }
        long median = tookMillis.stream().sorted().toList().get(JOBS / 2);
        System.out.println(kind + ": milliseconds from the commit until each job began: " + tookMillis);
        assertTrue(median < 500, () -> "milliseconds from the commit until each job began: " + tookMillis);
    }

    @Test
    void a_block_wakes_the_server_of_this_process() {
        JobScheduler jobs = serving();
        mustBeginAtOnce(work -> jobs.transaction(database, connection -> jobs.enqueue(work)));
    }

    @Test
    void a_block_wakes_servers_elsewhere() {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 tells other processes nothing.");
        try (HikariDataSource other = another();
                SqlStorageProvider there = kind.storage(other);
                Treadle server = on(there).start()) {
            JobScheduler jobs = servedElsewhere(() -> assertTrue(server.server().isPresent()), there);
            mustBeginAtOnce(work -> jobs.transaction(database, connection -> jobs.enqueue(work)));
        }
    }

    @Test
    void a_transaction_of_others_wakes_servers_elsewhere_and_here() {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 does not say that it has committed.");
        try (HikariDataSource other = another();
                SqlStorageProvider there = kind.storage(other);
                Treadle server = on(there).start()) {
            JobScheduler jobs = servedElsewhere(() -> assertTrue(server.server().isPresent()), there);
            mustBeginAtOnce(work -> commit(jobs, work));
        }
    }

    @Test
    void a_transaction_of_others_wakes_the_server_of_this_process() {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 does not say that it has committed.");
        JobScheduler jobs = serving();
        Awaitility.await().until(() -> storage.notifications().areComplete());
        mustBeginAtOnce(work -> commit(jobs, work));
    }

    private void commit(JobScheduler jobs, Work work) {
        Connection connection = JoinedDatabase.begin(database);
        jobs.in(connection).enqueue(work);
        JoinedDatabase.end(connection, true);
    }

    private HikariDataSource another() {
        return dev.treadle.storage.sql.EmptyDatabases.pool(database.getJdbcUrl());
    }

    @Test
    void nothing_is_said_before_the_commit_or_after_a_rollback_and_once_for_all_jobs_after_the_commit()
            throws SQLException {
        Assumptions.assumeTrue(kind.isPostgres(), "H2 tells other processes nothing.");
        try (HikariDataSource other = another();
                SqlStorageProvider there = kind.storage(other);
                Treadle server = on(there).start();
                Connection ear = other.getConnection();
                Statement listen = ear.createStatement()) {
            JobScheduler jobs = servedElsewhere(() -> assertTrue(server.server().isPresent()), there);
            listen.execute("listen treadle_due");
            PGConnection heard = ear.unwrap(PGConnection.class);
            heard.getNotifications(500);
            for (boolean commit : new boolean[] {false, true}) {
                Connection connection = JoinedDatabase.begin(database);
                JobScheduler joined = jobs.in(connection);
                for (int i = 0; i < JOBS; i++) {
                    joined.enqueue(new Work(i));
                }
                assertEquals(0, heard.getNotifications(300).length, "before its end");
                JoinedDatabase.end(connection, commit);
                assertEquals(commit ? 1 : 0, heard.getNotifications(commit ? 20_000 : 300).length);
            }
        }
    }

    @Test
    void a_running_job_that_is_cancelled_in_a_transaction_stops_after_the_commit_and_not_before() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        here = Treadle.on(storage)
                .handler(Work.class, (work, job) -> {
                    began.countDown();
                    try {
                        Thread.sleep(Duration.ofMinutes(5).toMillis());
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                })
                .start();
        JobScheduler jobs = here.jobs();
        JobId id = jobs.enqueue(new Work(1));
        assertTrue(began.await(SOON.toSeconds(), TimeUnit.SECONDS));
        Connection connection = JoinedDatabase.begin(database);

        jobs.in(connection).cancel(id, "a test", "in a transaction");

        // longer than two looks for runs that should stop: there is no event to wait for
        assertFalse(interrupted.await(800, TimeUnit.MILLISECONDS), "stopped before the commit");
        assertEquals(StateName.PROCESSING, jobs.states(List.of(id)).get(id));
        JoinedDatabase.end(connection, true);
        assertTrue(interrupted.await(SOON.toSeconds(), TimeUnit.SECONDS), "never stopped");
        assertEquals(StateName.CANCELLED, jobs.states(List.of(id)).get(id));
    }
}
