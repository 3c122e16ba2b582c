package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.RetryPolicy;
import dev.treadle.job.StateName;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What tests of scopes say: a job whose code the test gives, on an executor, and how it ended. */
@Timeout(60)
abstract class ScopeWords {
    private final CountDownLatch never = new CountDownLatch(1);
    final AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
    private @Nullable Treadle treadle;

    /** An executor that has not been started. */
    protected abstract JobRunrExecutor newExecutor();

    record Do() implements JobRequest<Void> {}

    interface Code {
        void run(JobContext job) throws Exception;
    }

    final Treadle start(int workers, Code code) {
        Treadle started = Treadle.on(new InMemoryStorageProvider())
                .executor(newExecutor())
                .settings(JobServerSettings.DEFAULT
                        .withWorkers(workers)
                        .withRetries(RetryPolicy.NEVER)
                        .withResource("db", 1)
                        .withResource("pdf", 1)
                        .withStopPatience(Duration.ZERO))
                .handler(Do.class, (task, job) -> {
                    try {
                        code.run(job);
                    } catch (AssertionError e) {
                        wrong.set(e);
                        throw e;
                    }
                })
                .start();
        treadle = started;
        return started;
    }

    /** What was started last. */
    final Treadle running() {
        return Objects.requireNonNull(treadle);
    }

    /** Runs it as a job to its end. */
    final HistoryEntry run(int workers, Code code) {
        Treadle on = start(workers, code);
        return ended(on, on.jobs().enqueue(new Do()));
    }

    final HistoryEntry ended(Treadle on, JobId id) {
        until("the job has ended", () -> state(on, id).isFinal());
        Throwable assertion = wrong.get();
        if (assertion != null) {
            throw new AssertionError("in the job", assertion);
        }
        List<HistoryEntry> history = on.jobs().find(id).orElseThrow().history();
        return history.get(history.size() - 1);
    }

    @AfterEach
    final void close() {
        never.countDown();
        if (treadle != null) {
            treadle.close();
        }
    }

    /** Sleeps until interrupted, and says so. */
    final String sleepUntil(CountDownLatch interrupted) throws InterruptedException {
        try {
            never.await();
            return "slept to the end";
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }

    static void awaitIgnoringInterrupts(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // as some drivers do
            }
        }
    }

    static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS), "waited without success");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static StateName state(Treadle on, JobId id) {
        return on.jobs().find(id).orElseThrow().job().state().name();
    }

    static void until(String what, BooleanSupplier holds) {
        long start = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("waited without success until " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
