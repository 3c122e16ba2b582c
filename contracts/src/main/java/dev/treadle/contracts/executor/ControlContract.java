package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.contracts.GrantedTime;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTimeoutException;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * That running jobs can be told to end on the threads of an executor. Extend it, hand over an executor, and it runs.
 */
@Timeout(60)
public abstract class ControlContract {
    private static final Duration LONG = Duration.ofMinutes(5);
    /** Within which a running job is told to end, in milliseconds. */
    private static final long TOLD_MILLIS_MAX = 1_000;

    private final CountDownLatch runs = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CompletableFuture<@Nullable StopReason> ended = new CompletableFuture<>();
    private final AtomicReference<@Nullable Duration> remaining = new AtomicReference<>();
    private final AtomicReference<@Nullable JobContext> context = new AtomicReference<>();
    private @Nullable Treadle treadle;

    /** For subclasses. */
    protected ControlContract() {}

    /** An executor that has not been started. */
    protected abstract JobRunrExecutor newExecutor();

    record Do(What what) implements JobRequest<Void> {}

    enum What {
        SLEEP,
        POLL_IN_A_BUSY_LOOP,
        END_BY_ON_STOP,
        IGNORE_EVERYTHING
    }

    @SuppressWarnings("try") // the watch is only closed
    private @Nullable Void work(Do task, JobContext job) throws Exception {
        remaining.set(job.remaining());
        context.set(job);
        runs.countDown();
        try {
            switch (task.what) {
                case SLEEP -> Thread.sleep(LONG.toMillis());
                case POLL_IN_A_BUSY_LOOP -> {
                    while (!job.shouldStop()) {
                        Thread.onSpinWait();
                    }
                    throw new IllegalStateException("told to end");
                }
                case END_BY_ON_STOP -> {
                    CountDownLatch asked = new CountDownLatch(1);
                    try (JobContext.Watch watch = job.onStop(asked::countDown)) {
                        awaitIgnoringInterrupts(asked);
                    }
                    throw new InterruptedException("told to end");
                }
                case IGNORE_EVERYTHING -> awaitIgnoringInterrupts(mayEnd);
            }
            return null;
        } finally {
            ended.complete(job.stopReason());
        }
    }

    private static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (true) {
            try {
                if (latch.await(1, TimeUnit.MILLISECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                // as some drivers do
            }
        }
    }

    private Treadle start() {
        Treadle started = Treadle.on(new InMemoryStorageProvider())
                .executor(newExecutor())
                .settings(JobServerSettings.DEFAULT
                        .withWorkers(2)
                        .withRetries(RetryPolicy.NEVER)
                        .withStopPatience(Duration.ZERO))
                .handler(Do.class, this::work)
                .start();
        treadle = started;
        return started;
    }

    @AfterEach
    void close() {
        mayEnd.countDown();
        if (treadle != null) {
            treadle.close();
        }
    }

    @Test
    final void a_cancelled_job_that_sleeps_is_interrupted_within_a_second() throws Exception {
        assertIsToldToEnd(What.SLEEP);
    }

    @Test
    final void a_cancelled_job_that_polls_in_a_busy_loop_ends_within_a_second() throws Exception {
        assertIsToldToEnd(What.POLL_IN_A_BUSY_LOOP);
    }

    @Test
    final void a_cancelled_job_that_ignores_interrupts_ends_by_what_it_asked_for() throws Exception {
        assertIsToldToEnd(What.END_BY_ON_STOP);
    }

    private void assertIsToldToEnd(What what) throws Exception {
        Treadle on = start();
        JobId id = on.jobs().enqueue(new Do(what));
        runs.await();
        try (GrantedTime time = GrantedTime.begin()) {
            on.jobs().cancel(id, "anna", null);

            assertEquals(StopReason.LEASE_LOST, ended.get(30, TimeUnit.SECONDS));
            long millis = time.passed().toMillis();
            assertTrue(millis < TOLD_MILLIS_MAX, () -> what + " was told after " + millis + " ms");
        }
        assertEquals(StateName.CANCELLED, state(on, id));
        until("nothing is said to run any more", () -> on.jobs().stillRunning().isEmpty());
        until("its permit is free", () -> on.server().orElseThrow().running() == 0);
        assertEquals(1, history(on, id).size());
    }

    @Test
    final void a_cancelled_job_that_ignores_everything_is_shown_until_it_has_ended() throws Exception {
        Treadle on = start();
        JobId id = on.jobs().enqueue(new Do(What.IGNORE_EVERYTHING));
        runs.await();

        on.jobs().cancel(id, "anna", null);
        until(
                "it is shown for half a second",
                () -> on.jobs().stillRunning().stream()
                        .anyMatch(
                                run -> run.run().job().equals(id) && run.since().toMillis() > 500));
        StopRequest shown = on.jobs().stillRunning().get(0);
        assertEquals(on.server().orElseThrow().self().id(), shown.node());

        mayEnd.countDown();
        until("it is shown no more", () -> on.jobs().stillRunning().isEmpty());
        assertEquals(StateName.CANCELLED, state(on, id));
    }

    @Test
    final void a_job_whose_time_is_over_is_interrupted_and_its_attempt_fails() throws Exception {
        assertTimesOut(What.SLEEP);
    }

    @Test
    final void a_job_in_a_busy_loop_sees_that_its_time_is_over() throws Exception {
        assertTimesOut(What.POLL_IN_A_BUSY_LOOP);
    }

    @Test
    final void a_job_that_ignores_interrupts_ends_by_what_it_asked_for_when_its_time_is_over() throws Exception {
        assertTimesOut(What.END_BY_ON_STOP);
    }

    private void assertTimesOut(What what) throws Exception {
        Treadle on = start();
        GrantedTime time = GrantedTime.begin();
        long began = System.nanoTime();
        JobId id = on.jobs()
                .with(JobOptions.DEFAULT.withTimeout(Duration.ofMillis(300)))
                .enqueue(new Do(what));

        assertEquals(StopReason.TIMED_OUT, ended.get(30, TimeUnit.SECONDS));
        long granted = time.passed().toMillis();
        time.close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        assertTrue(
                millis >= 300 && granted < 300 + TOLD_MILLIS_MAX,
                () -> what + " was told after " + millis + " ms; the machine granted " + granted);
        until("it has failed", () -> state(on, id) == StateName.FAILED);
        HistoryEntry row = history(on, id).get(0);
        assertEquals(Event.THREW, row.event());
        assertNotNull(row.why());
        assertEquals(JobTimeoutException.class.getName(), row.why().type());
        Duration left = remaining.get();
        assertTrue(left != null && left.toMillis() <= 300 && !left.isNegative(), () -> "remaining " + left);
    }

    @Test
    final void a_job_without_a_timeout_may_run_for_as_long_as_it_likes() throws Exception {
        Treadle on = start();
        JobId id = on.jobs().enqueue(new Do(What.IGNORE_EVERYTHING));
        runs.await();
        assertNull(remaining.get());

        mayEnd.countDown();

        assertNull(ended.get(30, TimeUnit.SECONDS));
        until("it has succeeded", () -> state(on, id) == StateName.SUCCEEDED);
    }

    @Test
    final void a_job_sees_how_much_of_its_time_is_left() throws Exception {
        Treadle on = start();
        on.jobs().with(JobOptions.DEFAULT.withTimeout(LONG)).enqueue(new Do(What.IGNORE_EVERYTHING));
        runs.await();

        Duration left = remaining.get();

        assertTrue(
                left != null && left.compareTo(LONG) <= 0 && left.compareTo(LONG.minusMinutes(1)) > 0,
                () -> "remaining " + left);
    }

    @Test
    final void a_job_that_ends_well_after_its_time_has_ended_well() throws Exception {
        Treadle on = start();
        JobId id = on.jobs()
                .with(JobOptions.DEFAULT.withTimeout(Duration.ofMillis(1)))
                .enqueue(new Do(What.IGNORE_EVERYTHING));
        runs.await();
        until("its time is over", () -> context.get().stopReason() == StopReason.TIMED_OUT);
        mayEnd.countDown();

        assertEquals(StopReason.TIMED_OUT, ended.get(30, TimeUnit.SECONDS));
        until("it has succeeded", () -> state(on, id) == StateName.SUCCEEDED);
    }

    @Test
    final void a_job_is_told_that_its_server_stops() throws Exception {
        Treadle on = start();
        JobId id = on.jobs().enqueue(new Do(What.END_BY_ON_STOP));
        runs.await();

        on.close();

        assertEquals(StopReason.SERVER_STOPS, ended.get(30, TimeUnit.SECONDS));
        assertEquals(Event.STOPPED, history(on, id).get(0).event());
    }

    private static StateName state(Treadle on, JobId id) {
        return on.jobs().find(id).orElseThrow().job().state().name();
    }

    private static List<HistoryEntry> history(Treadle on, JobId id) {
        return on.jobs().find(id).orElseThrow().history();
    }

    private static void until(String what, BooleanSupplier holds) {
        long start = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("waited without success until " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
