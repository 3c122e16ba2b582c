package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Fork;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobLogger;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobScope;
import dev.treadle.job.NodeId;
import dev.treadle.job.RunNotes;
import dev.treadle.job.StateName;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The context at hand without a parameter, and a logger that finds it. */
class CurrentContextTest {
    private static final Logger LOG = JobLogger.of(LoggerFactory.getLogger(CurrentContextTest.class));
    private static final Logger CHATTY = JobLogger.of(LoggerFactory.getLogger(CurrentContextTest.class), Level.DEBUG);

    record Asks() implements JobRequest<String> {}

    record Forks() implements JobRequest<Boolean> {}

    record Looks() implements JobRequest<Boolean> {}

    record Tells() implements JobRequest<Void> {}

    /** As a test of an application has it. */
    record Fixed(JobId jobId) implements JobContext {
        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public NodeId node() {
            return new NodeId(1);
        }

        @Override
        public boolean shouldStop() {
            return false;
        }
    }

    private final InMemoryStorageProvider storage = new InMemoryStorageProvider();
    private final Queue<Boolean> aroundRun = new ConcurrentLinkedQueue<>();
    private final Treadle treadle = Treadle.on(storage)
            .settings(Work.QUICK.withWorkers(1))
            .executor("pool")
            .resultHandler(
                    Asks.class, (asks, job) -> JobContext.current().jobId() + " " + (JobContext.current() == job))
            .resultHandler(Forks.class, (forks, job) -> {
                try (JobScope scope = job.scope()) {
                    List<Fork<Boolean>> all = List.of(
                            scope.fork("a", () -> JobContext.current() == job),
                            scope.fork("b", () -> JobContext.current() == job));
                    scope.join();
                    return all.stream().allMatch(Fork::get) && JobContext.current() == job;
                }
            })
            .resultHandler(Looks.class, (looks, job) -> {
                boolean[] none = new boolean[2];
                Thread own = new Thread(() -> {
                    none[0] = JobContext.currentOrNull() == null;
                    try (JobContext.Watch here = job.makeCurrent()) {
                        none[1] = here != null && JobContext.current() == job;
                    }
                    none[1] &= JobContext.currentOrNull() == null;
                });
                own.start();
                own.join();
                return none[0] && none[1];
            })
            .handler(Tells.class, (tells, job) -> {
                LOG.info("slip {} of {}", 1, 2);
                LOG.warn("no paper", new IllegalStateException("tray 2"));
                LOG.debug("not kept");
                LOG.atError().addArgument(3).log("slip {} failed");
                CHATTY.debug("kept");
            })
            .intercept(new JobInterceptor() {
                @Override
                public @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
                    aroundRun.add(JobContext.current() == context);
                    return next.run();
                }
            })
            .start();

    @AfterEach
    void close() {
        treadle.close();
    }

    private <R> R result(JobId id, Class<R> type) throws Exception {
        return treadle.jobs().await(id, type, Duration.ofSeconds(30)).orElseThrow();
    }

    @Test
    void a_job_finds_its_own_one_after_another_on_one_thread() throws Exception {
        for (int i = 0; i < 5; i++) {
            JobId id = treadle.jobs().enqueue(new Asks());
            assertEquals(id + " true", result(id, String.class));
        }
        assertTrue(aroundRun.size() == 5 && !aroundRun.contains(false), aroundRun::toString);
    }

    @Test
    void forks_and_own_threads_find_it() throws Exception {
        assertTrue(result(treadle.jobs().enqueue(new Forks()), Boolean.class));
        assertTrue(result(treadle.jobs().enqueue(new Looks()), Boolean.class));
    }

    @Test
    void outside_a_job_there_is_none_and_the_error_says_so() {
        assertNull(JobContext.currentOrNull());
        String message =
                assertThrows(IllegalStateException.class, JobContext::current).getMessage();
        assertTrue(
                message.contains(
                        "No job runs on the thread '" + Thread.currentThread().getName()),
                message);
    }

    @Test
    void a_job_that_runs_on_the_calling_thread_leaves_none_behind() {
        InMemoryStorageProvider other = new InMemoryStorageProvider();
        boolean[] seen = new boolean[1];
        try (Treadle manual = Treadle.on(other)
                .resultHandler(Asks.class, (asks, job) -> {
                    seen[0] = JobContext.current() == job;
                    throw new IllegalStateException("fails");
                })
                .startManually(java.time.Clock.systemUTC())) {
            manual.jobs().enqueue(new Asks());
            int ran = ((dev.treadle.server.ManualServer) manual.server().orElseThrow()).run(1);

            assertEquals(1, ran);
            assertTrue(seen[0]);
            assertNull(JobContext.currentOrNull());
        }
    }

    @Test
    void one_within_another_comes_back() {
        JobContext outer = new Fixed(JobId.of(new java.util.UUID(0, 1)));
        JobContext inner = new Fixed(JobId.of(new java.util.UUID(0, 2)));
        JobContext.Watch first = outer.makeCurrent();
        JobContext.Watch again = outer.makeCurrent();
        JobContext.Watch second = inner.makeCurrent();
        assertSame(inner, JobContext.current());
        second.close();
        again.close();
        assertSame(outer, JobContext.current());
        first.close();
        assertNull(JobContext.currentOrNull());
    }

    @Test
    void a_job_logger_writes_to_the_log_and_to_the_job() {
        try (Logs logs = Logs.of(CurrentContextTest.class)) {
            LOG.info("outside");
            JobId id = treadle.jobs().enqueue(new Tells());
            Work.untilIn(StateName.SUCCEEDED, storage, id);

            List<String> kept = treadle.jobs().notes(id).orElseThrow().log().stream()
                    .map(RunNotes.LogLine::text)
                    .toList();
            assertEquals(
                    List.of(
                            "slip 1 of 2",
                            "WARN no paper: java.lang.IllegalStateException: tray 2",
                            "ERROR slip 3 failed",
                            "DEBUG kept"),
                    kept);
            assertEquals(
                    List.of("outside", "slip 1 of 2", "no paper", "slip 3 failed"),
                    logs.from(ch.qos.logback.classic.Level.INFO));
        }
    }
}
