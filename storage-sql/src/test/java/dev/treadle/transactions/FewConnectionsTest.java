package dev.treadle.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ManualServer;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.EmptyDatabases;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Transactions of jobs where connections are few, where there are no threads, and where there are no transactions. */
class FewConnectionsTest {
    record Work(int n) implements JobRequest<String> {}

    /** Fewer connections than jobs. */
    private static final SqlStorageSettings FEW = SqlStorageSettings.DEFAULT
            .withConnectionsMax(8)
            // much shorter than a job holds one
            .withConnectionWait(Duration.ofMillis(300));

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Test
    void jobs_wait_for_each_other_and_leave_connections_to_the_storage() {
        try (HikariDataSource database = EmptyDatabases.of(Dialect.POSTGRESQL);
                Treadle treadle = Treadle.on(SqlStorageProvider.open(database.getJdbcUrl(), null, null, FEW))
                        .resultHandler(Work.class, this::hold)
                        .settings(JobServerSettings.DEFAULT.withWorkers(8).withRetries(RetryPolicy.NEVER))
                        .start()) {
            List<JobId> ids = treadle.jobs().enqueueAll(IntStream.range(0, 8).mapToObj(Work::new));

            Awaitility.await()
                    .atMost(WorkDatabase.SOON)
                    .until(() -> treadle.jobs().states(ids).values().stream().allMatch(StateName::isFinal));
            assertEquals(
                    Set.of(StateName.SUCCEEDED),
                    Set.copyOf(treadle.jobs().states(ids).values()));
            assertTrue(most.get() <= 2, () -> most + " of four connections were held by jobs at once");
        }
    }

    private String hold(Work work, JobContext job) throws InterruptedException {
        return job.transaction(connection -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.sleep(700);
            inside.decrementAndGet();
            return "held";
        });
    }

    @Test
    void works_on_a_server_without_threads() throws Exception {
        try (HikariDataSource database = EmptyDatabases.of(Dialect.H2);
                Treadle treadle = Treadle.on(SqlStorageProvider.using(database))
                        .resultHandler(
                                Work.class,
                                (work, job) -> job.transaction(connection -> {
                                    WorkDatabase.effect(connection, work.n());
                                    return "by hand";
                                }))
                        .startManually(InstantSource.system())) {
            EmptyDatabases.execute(database, "create table effect (n int)");
            JobId id = treadle.jobs().enqueue(new Work(1));

            assertEquals(1, ((ManualServer) treadle.server().orElseThrow()).run(10));
            assertEquals("by hand", treadle.jobs().result(id, String.class).orElseThrow());
        }
    }

    @Test
    void is_refused_in_memory_with_what_to_use() {
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider())
                .resultHandler(Work.class, (work, job) -> job.transaction(connection -> "never"))
                .settings(JobServerSettings.DEFAULT.withRetries(RetryPolicy.NEVER))
                .startManually(InstantSource.system())) {
            JobId id = treadle.jobs().enqueue(new Work(1));

            ((ManualServer) treadle.server().orElseThrow()).run(10);
            var why = treadle.jobs().find(id).orElseThrow().history().get(0).why();
            assertEquals(UnsupportedOperationException.class.getName(), why.type());
            assertTrue(why.message().contains("SqlStorageProvider"), why::message);
        }
    }
}
