package dev.treadle.storage.sql.postgresql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.contracts.storage.Jobs;
import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.Heard;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Jobs whose transaction began long before it was committed, while the queue never runs empty: they came due at the
 * beginning of that transaction, and everything up to now has been claimed since. With
 * {@code -Dtreadle.late.seconds=60 -Dtreadle.late.rest.millis=0} the transaction is open for a minute beside as many
 * claims as the machine gives.
 */
@Timeout(400)
class LateCommitTest {
    private static final NodeInfo NODE = new NodeInfo(new NodeId(1), "there", "pool", 16);
    private static final Duration OPEN = Duration.ofSeconds(Integer.getInteger("treadle.late.seconds", 5));
    private static final long REST_NANOS = 1_000_000L * Integer.getInteger("treadle.late.rest.millis", 10);
    private static final Duration FOUND_WITHIN = Duration.ofSeconds(20);
    private static final int BATCH = 20;
    private static final int WAITING = 200;
    private static final JobTraits URGENT = JobTraits.DEFAULT.withPriority(-5);

    private final HikariDataSource pool = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final StorageProvider worker = SqlStorageProvider.using(pool);
    private final StorageProvider elsewhere = SqlStorageProvider.using(pool);
    private final Jobs jobs = new Jobs();
    private final Map<JobId, Long> claimedNanos = new ConcurrentHashMap<>();
    private final Set<JobId> awaited = ConcurrentHashMap.newKeySet();
    private final AtomicInteger emptyClaims = new AtomicInteger();
    private volatile boolean stop;
    private volatile Throwable failed;
    private Runnable hearNoMore;
    private Thread load;

    @BeforeEach
    void work() {
        worker.heartbeat(NODE);
        hearNoMore = worker.notifications().listen(NODE.id(), new Heard(new AtomicInteger()));
        Awaitility.await().until(() -> worker.notifications().areComplete());
        worker.insert(jobs.enqueuedJobs(WAITING));
        worker.insert(List.of(jobs.withTraits(URGENT)));
        load = new Thread(this::claimAndKeep, "load");
        load.start();
    }

    @AfterEach
    void close() throws Exception {
        stop = true;
        load.join();
        hearNoMore.run();
        elsewhere.close();
        worker.close();
        pool.close();
        assertEquals(null, failed);
    }

    /** As many come as go, so that each claim comes back full. */
    private void claimAndKeep() {
        try {
            while (!stop) {
                List<Lease> taken = worker.claim(NODE.id(), BATCH);
                long now = System.nanoTime();
                if (taken.size() < BATCH) {
                    emptyClaims.incrementAndGet();
                }
                for (Lease lease : taken) {
                    if (awaited.contains(lease.job().id())) {
                        claimedNanos.put(lease.job().id(), now);
                    }
                }
                worker.record(taken.stream()
                        .map(lease -> AttemptEnd.succeeded(lease, Duration.ZERO))
                        .toList());
                worker.insert(jobs.enqueuedJobs(BATCH));
                worker.promote(BATCH);
                LockSupport.parkNanos(REST_NANOS);
            }
        } catch (RuntimeException | Error e) {
            failed = e;
        }
    }

    @Test
    void of_another_process_that_knows_of_the_commit() throws Exception {
        commitsLate(elsewhere, true);
    }

    @Test
    void of_another_process_that_does_not_know_of_the_commit() throws Exception {
        commitsLate(elsewhere, false);
    }

    @Test
    void of_this_process() throws Exception {
        commitsLate(worker, true);
    }

    private void commitsLate(StorageProvider enqueuing, boolean knows) throws Exception {
        NewJob usual = jobs.anEnqueuedJob();
        NewJob urgent = jobs.withTraits(URGENT);
        NewJob scheduled = jobs.aJobDueIn(Duration.ofSeconds(1));
        NewJob elapsed = new NewJob(jobs.nextId(), usual.invocation(), new Due.After(OPEN), JobTraits.DEFAULT);
        List<NewJob> late = List.of(usual, urgent, scheduled, elapsed);
        late.forEach(job -> awaited.add(job.id()));
        List<Runnable> afterCommit = new ArrayList<>();
        long committed;
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            TransactionalStorage joined = enqueuing.in(connection, knows ? afterCommit::add : null);
            for (NewJob job : late) {
                joined.insert(List.of(job));
            }
            LockSupport.parkNanos(OPEN.toNanos());
            if (!claimedNanos.isEmpty()) {
                throw new AssertionError("claimed before the commit: " + claimedNanos);
            }
            connection.commit();
            committed = System.nanoTime();
            connection.setAutoCommit(true);
        }
        afterCommit.forEach(Runnable::run);
        Awaitility.await()
                .atMost(FOUND_WITHIN)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> failed != null || claimedNanos.size() == late.size());
        List<Long> tookMillis = late.stream()
                .map(job -> (claimedNanos.get(job.id()) - committed) / 1_000_000)
                .toList();
        System.out.println("open for " + OPEN.toSeconds() + " s, known of: " + knows + ", by the claiming process: "
                + (enqueuing == worker) + "; claimed after the commit (usual, urgent, scheduled, due at the commit): "
                + tookMillis + " ms");
        assertEquals(0, emptyClaims.get(), "the queue ran empty, so the bound was not in play");
        assertTrue(tookMillis.stream().allMatch(millis -> millis < FOUND_WITHIN.toMillis()), tookMillis::toString);
    }
}
