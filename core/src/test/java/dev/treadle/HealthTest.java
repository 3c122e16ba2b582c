package dev.treadle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.health.HealthProblem;
import dev.treadle.health.HealthProblem.Rule;
import dev.treadle.health.Verdict;
import dev.treadle.health.Verdict.Level;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.NodeId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The verdict in situations that are brought about. */
class HealthTest {
    /** How far the clock of the storage is ahead of that of this machine. */
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    private final InMemoryStorageProvider storage =
            new InMemoryStorageProvider(() -> Instant.now().plus(ahead.get()));
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    record Wait(int number) implements JobRequest<Void> {}

    record Fail(int number) implements JobRequest<Void> {}

    record Unknown() implements JobRequest<Void> {}

    /** One job at a time. */
    private Treadle start() {
        return Treadle.on(storage)
                .settings(Work.QUICK
                        .withName("office")
                        .withWorkers(1)
                        .withDeadAfter(Duration.ofSeconds(2))
                        .withStopPatience(Duration.ofMillis(1))
                        .withRetries(RetryPolicy.NEVER))
                .handler(Wait.class, (wait, job) -> waitUninterruptibly())
                .handler(Fail.class, (fail, job) -> {
                    throw new IllegalStateException("asked to");
                })
                .start();
    }

    private void waitUninterruptibly() {
        for (boolean ended = false; !ended; ) {
            try {
                mayEnd.await();
                ended = true;
            } catch (InterruptedException e) {
                // that is what these jobs are for
            }
        }
    }

    private static List<Rule> rules(Verdict verdict) {
        return verdict.problems().stream().map(HealthProblem::rule).toList();
    }

    /** Waits until this is the worst problem. */
    private static Verdict until(Treadle treadle, Rule rule) {
        AtomicReference<Verdict> last = new AtomicReference<>(treadle.health());
        Await.until("the verdict is " + rule, () -> {
            last.set(treadle.health());
            return !last.get().problems().isEmpty()
                    && last.get().problems().get(0).rule() == rule;
        });
        return last.get();
    }

    @Test
    void a_server_without_work_is_idle_and_with_work_healthy() {
        try (Treadle treadle = start()) {
            assertEquals(
                    new Verdict(Level.IDLE, "Idle. No job is due and none is scheduled.", List.of()), treadle.health());
            JobId id = treadle.jobs().enqueue(new Wait(1));
            Work.untilIn(StateName.PROCESSING, storage, id);
            assertEquals(
                    new Verdict(Level.HEALTHY, "Healthy. 1 job runs on 1 server; none waits.", List.of()),
                    treadle.health());
            mayEnd.countDown();
        }
    }

    @Test
    void jobs_and_no_server_are_down() {
        try (Treadle treadle = Treadle.on(storage).enqueueOnly()) {
            treadle.jobs().enqueue(new Wait(1));
            Verdict verdict = treadle.health();
            assertEquals(Level.DOWN, verdict.level());
            assertEquals(
                    "Nothing is processing jobs: 1 wait, and no server has been heard for 30 s.", verdict.sentence());
        }
    }

    @Test
    void a_job_that_waits_for_long_means_falling_behind() {
        try (Treadle treadle = start()) {
            for (int n = 0; n < 50; n++) {
                treadle.jobs().enqueue(new Wait(n));
            }
            ahead.set(Duration.ofSeconds(40));
            Verdict verdict = until(treadle, Rule.FALLING_BEHIND);
            assertEquals(Level.DEGRADED, verdict.level());
            assertTrue(verdict.sentence().startsWith("Falling behind: 4"), verdict.sentence());
            assertTrue(verdict.sentence().contains(" jobs wait, the oldest for 4"), verdict.sentence());
            mayEnd.countDown();
        }
    }

    @Test
    void jobs_that_fail_mean_failing_and_name_what_they_mostly_fail_of() {
        try (Treadle treadle = start()) {
            for (int n = 0; n < 12; n++) {
                treadle.jobs().enqueue(new Fail(n));
            }
            // the node tells it with a heartbeat
            Verdict verdict = until(treadle, Rule.FAILING);
            Await.until("all are told", () -> treadle.health().sentence().contains("(12)"));
            assertEquals(Level.DEGRADED, verdict.level());
            assertEquals(
                    "100 % of the jobs of the last 5 minutes failed (12), mostly of IllegalStateException.",
                    treadle.health().sentence());
        }
    }

    @Test
    void jobs_that_no_server_knows_are_parked() {
        try (Treadle treadle = start()) {
            treadle.jobs().enqueue(new Unknown());
            assertEquals(
                    "1 job is parked: no server here knows how to run it.",
                    until(treadle, Rule.PARKED).sentence());
        }
    }

    @Test
    void a_run_that_goes_on_after_its_cancel_is_named() {
        try (Treadle treadle = start()) {
            JobId id = treadle.jobs().enqueue(new Wait(1));
            Work.untilIn(StateName.PROCESSING, storage, id);
            treadle.jobs().cancel(id, "ada", "wrong month");
            ahead.set(Duration.ofSeconds(6));
            Verdict verdict = until(treadle, Rule.STILL_RUNNING);
            assertTrue(verdict.sentence().endsWith(" on office."), verdict.sentence());
            assertEquals(id, verdict.problems().get(0).job());
            mayEnd.countDown();
        }
    }

    @Test
    void a_queue_that_was_paused_hours_ago_is_degraded_and_one_paused_now_is_not() {
        ahead.set(Duration.ofHours(-2));
        try (Treadle treadle = start()) {
            treadle.queues().pause("mail", "ada", "the relay is down");
            Verdict verdict = treadle.health();
            assertEquals(Level.DEGRADED, verdict.level());
            assertTrue(
                    verdict.sentence().startsWith("The queue mail has been paused for 2 h by ada (the relay is down)"),
                    verdict.sentence());
            treadle.queues().resume("mail", "ada");
            ahead.set(Duration.ZERO);
            treadle.queues().pause("mail", "ada", null);
            assertEquals(Level.IDLE, treadle.health().level());
            assertEquals(List.of(Rule.QUEUE_PAUSED), rules(treadle.health()));
        }
    }

    @Test
    void a_server_that_falls_silent_is_named() {
        try (Treadle treadle = start()) {
            storage.heartbeat(new NodeInfo(new NodeId(99), "lost", "pool", 4).withDeadAfter(Duration.ofHours(1)));
            assertEquals(Level.IDLE, treadle.health().level());
            ahead.set(Duration.ofSeconds(45));
            assertTrue(until(treadle, Rule.SERVER_SILENT).sentence().startsWith("lost has been silent for 4"));
        }
    }

    @Test
    void a_server_of_this_process_that_has_stopped_is_told_of() {
        try (Treadle treadle = start();
                Treadle other = Treadle.on(storage).enqueueOnly()) {
            treadle.server().orElseThrow().close();
            assertEquals(
                    "The server of this process has stopped, so this process runs no jobs.",
                    treadle.health().sentence());
            assertEquals(Level.IDLE, other.health().level(), "it never had one");
        }
    }

    @Test
    void a_closed_treadle_says_so_and_does_not_throw() {
        Treadle treadle = start();
        treadle.close();
        assertEquals(Level.DOWN, treadle.health().level());
        assertEquals("This Treadle is closed.", treadle.health().sentence());
    }

    @Test
    void without_threads_the_caller_looks() {
        Await.until("the threads of earlier tests have ended", () -> !hasThread());
        Instant now = Instant.now();
        try (Treadle treadle =
                Treadle.on(new InMemoryStorageProvider(() -> now)).startManually(() -> now)) {
            assertEquals(Level.IDLE, treadle.health().level());
            treadle.jobs().enqueue(new Unknown());
            assertEquals(
                    "Healthy. 0 jobs run on 1 server; the oldest waiting one has waited 0.0 s.",
                    treadle.health().sentence());
            assertFalse(hasThread(), "the test's own thread looks");
        }
        try (Treadle treadle = Treadle.on(storage).enqueueOnly()) {
            assertFalse(hasThread(), "nobody has asked");
            assertEquals(Level.IDLE, treadle.health().level());
            assertTrue(hasThread());
        }
        Await.until("its thread has ended", () -> !hasThread());
    }

    private static boolean hasThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("treadle-health"));
    }

    @Test
    void a_patience_out_of_range_is_refused() {
        try (Treadle treadle = start()) {
            for (Duration patience : List.of(Duration.ZERO, Duration.ofMinutes(2))) {
                assertThrows(IllegalArgumentException.class, () -> treadle.health(patience));
            }
        }
    }
}
