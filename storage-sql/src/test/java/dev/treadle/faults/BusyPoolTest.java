package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users' code holds every connection of a pool for longer than a node may be silent. */
class BusyPoolTest extends Faults {
    private static final Duration DEAD_AFTER = Duration.ofSeconds(3);
    private static final int LIGHT = 5;
    private static final int POOL = 6;
    private static final int HOLDERS = 12;

    private final CountDownLatch exhausted = new CountDownLatch(1);
    private final CountDownLatch enough = new CountDownLatch(1);
    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger holding = new AtomicInteger();
    private Treadle judge;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end_the_threads() {
        judge.close();
        exhausted.countDown();
        enough.countDown();
        threads.shutdownNow();
    }

    @Test
    void a_node_beats_and_records_while_jobs_hold_all_connections_of_the_pool_that_it_shares() throws Exception {
        try (HikariDataSource shared = new HikariDataSource()) {
            shared.setJdbcUrl(postgres.url());
            shared.setMaximumPoolSize(POOL);
            try (Treadle busy = Treadle.on(SqlStorageProvider.using(shared))
                    .handler(FaultWork.class, (work, job) -> run(work, job, shared))
                    .executor("pool")
                    .settings(named("busy").withWorkers(LIGHT + HOLDERS))
                    .start()) {
                busy.jobs().enqueueAll(IntStream.range(0, LIGHT).mapToObj(n -> FaultWork.good(n, 0)));
                until("the light jobs run", () -> started.get() == LIGHT);
                busy.jobs().enqueueAll(IntStream.range(0, HOLDERS).mapToObj(n -> FaultWork.good(n, 1)));
                until("the others run", () -> started.get() == LIGHT + HOLDERS);
                until(
                        "the pool has nothing to lend, and some wait for it",
                        () -> shared.getHikariPoolMXBean().getIdleConnections() == 0
                                && shared.getHikariPoolMXBean().getThreadsAwaitingConnection() > 0
                                && holding.get() > 0);

                exhausted.countDown();
                untilSucceeded(LIGHT);
                beatsFor(DEAD_AFTER.multipliedBy(3));
                assertEquals(LIGHT, count("select count(*) from treadle_history"), "nobody was taken for dead");
                enough.countDown();
                untilSucceeded(LIGHT + HOLDERS);
            }
        }
    }

    /** Light jobs need no connection; the others want one of the pool and keep it. */
    private Void run(FaultWork work, JobContext job, HikariDataSource shared) throws Exception {
        started.incrementAndGet();
        if (work.millis() == 0) {
            exhausted.await();
            return null;
        }
        try (Connection connection = shared.getConnection()) {
            connection.setAutoCommit(true);
            holding.incrementAndGet();
            enough.await();
            return null;
        }
    }

    @Test
    void a_node_beats_and_records_while_enqueues_hold_all_connections_of_our_own_pool() throws Exception {
        try (Treadle busy = Treadle.on(SqlStorageProvider.open(
                        postgres.url(), null, null, SqlStorageSettings.DEFAULT.withConnectionsMax(6)))
                .handler(FaultWork.class, (work, job) -> {
                    started.incrementAndGet();
                    exhausted.await();
                })
                .executor("pool")
                .settings(named("busy").withWorkers(LIGHT))
                .start()) {
            busy.jobs().enqueueAll(IntStream.range(0, LIGHT).mapToObj(n -> FaultWork.good(n, 0)));
            until("the light jobs run", () -> started.get() == LIGHT);
            List<Future<List<JobId>>> enqueues = new ArrayList<>();
            try (Connection locking = database.getConnection();
                    Statement lock = locking.createStatement()) {
                locking.setAutoCommit(false);
                lock.execute("lock table treadle_job in share mode");
                for (int i = 0; i < HOLDERS; i++) {
                    enqueues.add(threads.submit(() -> enqueueUntilKept(busy)));
                }
                until(
                        "the enqueues hold the pool",
                        () -> count("select count(*) from pg_stat_activity where wait_event_type = 'Lock'") >= 2);
                exhausted.countDown();
                untilSucceeded(LIGHT);
                beatsFor(DEAD_AFTER.multipliedBy(2));
                assertEquals(LIGHT, count("select count(*) from treadle_history"), "nobody was taken for dead");
                locking.rollback();
            }
            for (Future<List<JobId>> enqueue : enqueues) {
                enqueue.get();
            }
            untilSucceeded(LIGHT + 3 * HOLDERS);
        }
    }

    /** The wait for a lock or for a connection is limited, so it takes several tries. */
    private static List<JobId> enqueueUntilKept(Treadle treadle) {
        while (true) {
            try {
                return treadle.jobs().enqueueAll(threeJobs());
            } catch (StorageException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    /** A batch does not share its commit with others, as single jobs do. */
    private static Stream<FaultWork> threeJobs() {
        return IntStream.range(0, 3).mapToObj(n -> FaultWork.good(n, 0));
    }

    @Test
    void an_idle_node_holds_three_connections_at_most_after_it_has_needed_more() throws Exception {
        String name = "idle-node";
        String sessions = "select count(*) from pg_stat_activity where application_name = '" + name + "'";
        try (Treadle node = Treadle.on(SqlStorageProvider.open(postgres.url() + "&ApplicationName=" + name, null, null))
                .handler(FaultWork.class, (work, job) -> {})
                .executor("pool")
                .settings(named(name))
                .start()) {
            try (Connection locking = database.getConnection();
                    Statement lock = locking.createStatement()) {
                locking.setAutoCommit(false);
                lock.execute("lock table treadle_job in share mode");
                for (int i = 0; i < HOLDERS; i++) {
                    threads.submit(() -> node.jobs().enqueueAll(threeJobs()));
                }
                until("it has needed more", () -> count(sessions) > 5);
                locking.rollback();
            }
            untilSucceeded(HOLDERS * 3);
            until("it holds three", () -> count(sessions) <= 3);
        }
    }

    /** A node that does nothing but find others dead. */
    @BeforeEach
    void start_the_judge() {
        judge = Treadle.on(SqlStorageProvider.open(postgres.url(), null, null))
                .executor("pool")
                .settings(named("judge").withWorkers(1).withOnlyQueues(QueueSettings.of("none")))
                .start();
    }

    private static JobServerSettings named(String name) {
        return JobServerSettings.DEFAULT.withName(name).withDeadAfter(DEAD_AFTER);
    }

    /** Returns when the busy node's last heartbeat is so much later than the present one. */
    private void beatsFor(Duration time) throws SQLException {
        String beat =
                "select (extract(epoch from beat_at) * 10)::bigint % 1000000000 from treadle_node where name = 'busy'";
        int before = count(beat);
        until("it beats for " + time, () -> count(beat) >= before + time.toMillis() / 100);
    }
}
