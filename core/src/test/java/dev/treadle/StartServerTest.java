package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.RecurringJobs;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NotCapturableException;
import dev.treadle.job.StateName;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import dev.treadle.server.JobServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A Treadle that is built before its server starts, and whose server stops in two steps and starts again. */
class StartServerTest {
    private final StorageProvider storage = new InMemoryStorageProvider();
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    record Run(int number) implements JobRequest<Void> {}

    record Long() implements JobRequest<Void> {}

    /** What is called by the name of its method. */
    public static class Cleaner {
        static final String NAME = "clean";

        public void clean() {}

        public void clean(String what) {}

        private void hidden() {}
    }

    private Treadle.Builder builder() {
        return Treadle.on(storage)
                .settings(Work.QUICK)
                .handler(Run.class, (run, context) -> {})
                .handler(Long.class, (request, context) -> {
                    began.countDown();
                    assertTrue(mayEnd.await(30, TimeUnit.SECONDS));
                });
    }

    @Test
    void jobs_that_are_enqueued_before_the_server_starts_run_when_it_does() {
        try (Treadle treadle = builder().build()) {
            assertTrue(treadle.server().isEmpty());
            JobId id = treadle.jobs().enqueue(new Run(1));
            treadle.queues().pause("other", "ann", null);
            assertEquals(StateName.ENQUEUED, Work.state(storage, id));

            JobServer server = treadle.startServer();

            assertEquals(server, treadle.server().orElseThrow());
            Work.untilSucceeded(storage, List.of(id));
        }
    }

    @Test
    void a_server_that_has_stopped_is_followed_by_another_node() {
        try (Treadle treadle = builder().build()) {
            JobServer first = treadle.startServer();
            assertThrows(IllegalStateException.class, treadle::startServer, "one runs");
            first.close();
            JobId id = treadle.jobs().enqueue(new Run(1));

            JobServer second = treadle.startServer();

            assertNotEquals(first.self().id(), second.self().id());
            Work.untilSucceeded(storage, List.of(id));
        }
    }

    @Test
    void what_has_no_server_or_is_closed_starts_none() {
        Treadle closed = builder().build();
        closed.close();
        assertThrows(IllegalStateException.class, closed::startServer);
        try (Treadle web = builder().enqueueOnly()) {
            assertThrows(IllegalStateException.class, web::startServer);
        }
    }

    @Test
    void an_unknown_executor_is_refused_when_it_is_built() {
        assertThrows(
                IllegalArgumentException.class,
                () -> builder().executor("nobody").build());
    }

    @Test
    void a_server_that_stops_claiming_lets_jobs_run_and_begins_none() throws InterruptedException {
        try (Treadle treadle = builder().start()) {
            JobServer server = treadle.server().orElseThrow();
            JobId running = treadle.jobs().enqueue(new Long());
            assertTrue(began.await(30, TimeUnit.SECONDS));

            server.stopClaiming();
            server.stopClaiming();

            assertEquals(ServerState.STOPPING, server.state());
            assertEquals(1, server.running());
            JobId waiting = treadle.jobs().enqueue(new Run(1));
            mayEnd.countDown();
            Work.untilSucceeded(storage, List.of(running));
            server.close();
            assertEquals(StateName.ENQUEUED, Work.state(storage, waiting));
        }
    }

    @Test
    void a_recurring_job_calls_a_method_by_its_name() {
        AtomicInteger runs = new AtomicInteger();
        try (Treadle treadle = builder()
                .activator(new dev.treadle.job.JobActivator() {
                    @Override
                    public <T> T activate(Class<T> type) {
                        runs.incrementAndGet();
                        return type.cast(new Cleaner());
                    }
                })
                .start()) {
            RecurringJobs recurring = treadle.jobs().recurring();

            recurring.declare(
                    "c", Schedule.every(Duration.ofMillis(100)), RecurringRules.DEFAULT, Cleaner.class, Cleaner.NAME);

            Await.until("it ran", () -> runs.get() > 0);
            for (String name : List.of("hidden", "gone")) {
                assertThrows(
                        NotCapturableException.class,
                        () -> recurring.declare(
                                name, Schedule.cron("@daily"), RecurringRules.DEFAULT, Cleaner.class, name));
            }
            assertThrows(
                    NotCapturableException.class,
                    () -> recurring.declare(
                            "s", Schedule.cron("@daily"), RecurringRules.DEFAULT, String.class, "length"));
        }
    }
}
