package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NodeId;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.NodeInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ring names a node that has died, and was not buried yet: the next one takes the job soon. */
@Timeout(300)
class DeadTakerTest {
    private static final int JOBS = 24;
    /** When the second node looks; nobody takes a job sooner that the dead one was to take. */
    private static final long SECOND_MILLIS = 120;
    /**
     * Regular looks are 2 s apart. One that finds a job older than this relies on rings no more, so that only the first such job
     * is as late.
     */
    private static final long LATE_MILLIS = 1_000;

    private final HikariDataSource pool = EmptyDatabases.of(Dialect.POSTGRESQL);
    private final SqlStorageProvider storage = SqlStorageProvider.using(pool);
    private final SqlStorageProvider client = SqlStorageProvider.using(pool);
    private final ConcurrentHashMap<Integer, Long> began = new ConcurrentHashMap<>();

    record Work(int number) implements JobRequest<Void> {}

    @AfterEach
    void close() {
        client.close();
        storage.close();
        pool.close();
    }

    @Test
    void a_job_whose_taker_is_dead_begins_long_before_the_next_regular_look() {
        try (SqlStorageProvider elsewhere = SqlStorageProvider.using(pool)) {
            elsewhere.heartbeat(new NodeInfo(new NodeId(1), "dead", "pool", 2).withDeadAfter(Duration.ofMinutes(10)));
        }
        List<Long> tookMillis = new ArrayList<>();
        try (Treadle node = start();
                Treadle enqueuer =
                        Treadle.on(client).handler(Work.class, this::run).enqueueOnly()) {
            Awaitility.await()
                    .until(() ->
                            node.server().isPresent() && storage.notifications().areComplete());
            for (int number = 0; number < JOBS; number++) {
                int job = number;
                // long enough for the ring to go with the statement, and at no fixed place between two regular looks
                LockSupport.parkNanos((100 + 37L * number % 300) * 1_000_000);
                long enqueued = System.nanoTime();
                enqueuer.jobs().enqueue(new Work(job));
                Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> began.containsKey(job));
                tookMillis.add((began.get(job) - enqueued) / 1_000_000);
            }
        }
        long late = tookMillis.stream().filter(millis -> millis >= LATE_MILLIS).count();
        long second =
                tookMillis.stream().filter(millis -> millis >= SECOND_MILLIS).count();
        System.out.println("a dead taker among two: milliseconds until each job began: " + tookMillis);
        assertTrue(second > JOBS / 8, () -> "the dead node was hardly ever to take one: " + tookMillis);
        assertEquals(0, late, () -> "milliseconds until each job began: " + tookMillis);
    }

    private Treadle start() {
        return Treadle.on(storage)
                .handler(Work.class, this::run)
                .settings(JobServerSettings.DEFAULT.withWorkers(2))
                .start();
    }

    private Void run(Work work, JobContext job) {
        began.put(work.number(), System.nanoTime());
        return null;
    }
}
