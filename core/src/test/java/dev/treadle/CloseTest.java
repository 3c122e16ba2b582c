package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.DueNotifications;
import dev.treadle.storage.ScriptedStorage;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Closing is graceful, and whatever does not end in time is given back. */
class CloseTest {
    private static final Duration IMPATIENT = Duration.ofMillis(50);

    private final StorageProvider memory = new InMemoryStorageProvider();
    private final AtomicInteger closes = new AtomicInteger();
    private final AtomicInteger leaves = new AtomicInteger();
    private final StorageProvider storage = ScriptedStorage.over(memory, (call, arguments, real) -> {
        if (call.equals("close")) {
            closes.incrementAndGet();
        } else if (call.equals("leave")) {
            leaves.incrementAndGet();
        }
        return real.make();
    });
    private final CountDownLatch began = new CountDownLatch(1);

    record Run(int number) implements JobRequest<Void> {}

    private interface Body {
        void run(JobContext context) throws Exception;
    }

    private Treadle start(JobServerSettings settings, Body body) {
        return Treadle.on(storage)
                .settings(settings)
                .handler(Run.class, (run, context) -> {
                    began.countDown();
                    body.run(context);
                })
                .start();
    }

    @Test
    void a_server_that_cannot_start_because_its_storage_is_away_leaves_nothing_behind() {
        AtomicInteger listening = new AtomicInteger();
        StorageProvider away = ScriptedStorage.over(new InMemoryStorageProvider(), (call, arguments, real) -> {
            if (call.equals("heartbeat")) {
                throw new StorageException("away", null, true);
            }
            if (call.equals("notifications")) {
                return counting(listening);
            }
            return real.make();
        });

        assertThrows(StorageException.class, () -> Treadle.on(away).start());

        assertEquals(0, listening.get());
    }

    @Test
    void a_running_job_may_end() throws InterruptedException {
        AtomicBoolean toldToStop = new AtomicBoolean();
        Treadle treadle = start(Work.QUICK, context -> {
            Await.until("it is told to stop", context::shouldStop);
            toldToStop.set(true);
        });
        JobId id = treadle.jobs().enqueue(new Run(1));
        awaitBegan();

        treadle.close();

        assertTrue(toldToStop.get());
        assertEquals(List.of("COMPLETED 1 SUCCEEDED"), Work.history(memory, id));
        assertEquals(1, leaves.get(), "nothing is left, so nobody has to be silent for a while");
    }

    @Test
    void a_job_that_sleeps_is_interrupted_and_given_back_with_its_attempt_uncounted() throws InterruptedException {
        Treadle treadle = start(Work.QUICK.withStopPatience(IMPATIENT), context -> TimeUnit.HOURS.sleep(1));
        JobId id = treadle.jobs().enqueue(new Run(1));
        awaitBegan();

        treadle.close();

        assertEquals(StateName.ENQUEUED, Work.state(memory, id));
        assertEquals(0, Work.story(memory, id).job().attempt());
        assertEquals(List.of("STOPPED 1 ENQUEUED"), Work.history(memory, id));
        assertEquals(1, leaves.get());
    }

    @Test
    void a_job_given_back_runs_on_another_node_as_its_first_attempt() throws InterruptedException {
        Treadle treadle = start(Work.QUICK.withStopPatience(IMPATIENT), context -> TimeUnit.HOURS.sleep(1));
        JobId id = treadle.jobs().enqueue(new Run(1));
        awaitBegan();
        treadle.close();

        try (Treadle other = start(Work.QUICK, context -> {})) {
            assertTrue(other.server().isPresent());
            Work.untilSucceeded(memory, List.of(id));
        }

        assertEquals(List.of("STOPPED 1 ENQUEUED", "COMPLETED 1 SUCCEEDED"), Work.history(memory, id));
    }

    @Test
    void jobs_that_have_not_begun_stay_enqueued_without_a_trace() throws InterruptedException {
        Treadle treadle =
                start(Work.QUICK.withWorkers(1).withStopPatience(IMPATIENT), context -> TimeUnit.HOURS.sleep(1));
        List<JobId> ids = treadle.jobs().enqueueAll(IntStream.range(0, 20).mapToObj(Run::new));
        awaitBegan();

        treadle.close();

        assertEquals(
                1,
                ids.stream().filter(id -> !Work.history(memory, id).isEmpty()).count(),
                "only the one that ran has a story");
        for (JobId id : ids) {
            assertEquals(StateName.ENQUEUED, Work.state(memory, id));
            assertEquals(0, Work.story(memory, id).job().attempt());
        }
    }

    @Test
    void a_second_close_does_nothing() {
        Treadle treadle = start(Work.QUICK, context -> {});
        treadle.close();
        int threads = treadleThreads();

        treadle.close();
        treadle.server().orElseThrow().close();

        assertEquals(1, leaves.get());
        int left = treadleThreads();
        assertTrue(left <= threads, () -> left + " threads after " + threads);
    }

    @Test
    void the_storage_is_closed_too_also_when_there_is_no_server() {
        start(Work.QUICK, context -> {}).close();
        assertEquals(1, closes.get());

        Treadle.on(storage).enqueueOnly().close();
        assertEquals(2, closes.get());
    }

    @Test
    void no_thread_is_left_behind() {
        for (int i = 0; i < 3; i++) {
            start(Work.QUICK, context -> {}).close();
        }

        Await.until("all threads have ended", () -> treadleThreads() == 0);
    }

    @Test
    void a_job_that_closes_its_own_treadle_waits_for_itself_no_longer_than_the_patience_and_is_rescued()
            throws InterruptedException {
        AtomicReference<@Nullable Treadle> self = new AtomicReference<>();
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch known = new CountDownLatch(1);
        JobServerSettings settings = Work.QUICK.withStopPatience(IMPATIENT).withDeadAfter(Duration.ofSeconds(1));
        Treadle treadle = start(settings, context -> {
            known.await();
            Treadle own = self.get();
            if (own != null) {
                own.close();
                closed.countDown();
            }
        });
        self.set(treadle);
        JobId id = treadle.jobs().enqueue(new Run(1));
        known.countDown();

        assertTrue(closed.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "closing from inside a job hangs");

        try (Treadle other = start(settings, context -> {})) {
            assertTrue(other.server().isPresent());
            Work.untilSucceeded(memory, List.of(id));
        }
        assertFalse(Work.history(memory, id).isEmpty());
    }

    private void awaitBegan() throws InterruptedException {
        assertTrue(began.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private static int treadleThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("treadle")
                        || thread.getName().startsWith("backgroundjob"))
                .count();
    }

    private static DueNotifications counting(AtomicInteger listening) {
        return new DueNotifications() {
            @Override
            public Runnable listen(NodeId node, DueListener listener) {
                listening.incrementAndGet();
                return listening::decrementAndGet;
            }

            @Override
            public boolean areComplete() {
                return false;
            }

            @Override
            public void passOn(Lane lane) {}
        };
    }
}
