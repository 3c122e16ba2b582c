package dev.treadle.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.StopReason;
import dev.treadle.storage.Leases;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StopActionsTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final Attempt attempt = new Attempt(Leases.number(1));
    private final Thread job = new Thread(() -> {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    });

    @AfterEach
    void end() {
        job.interrupt();
        threads.shutdownNow();
    }

    private void begin() {
        attempt.begins(job);
        job.start();
    }

    @Test
    void what_a_job_wants_to_be_done_is_done_before_its_interrupt() throws Exception {
        begin();
        CompletableFuture<Boolean> before = new CompletableFuture<>();
        attempt.onStop(() -> before.complete(interrupted.getCount() == 1 && !job.isInterrupted()));

        new StopActions(threads).stop(attempt, StopReason.LEASE_LOST);

        assertTrue(before.get(), "a statement can be cancelled only while its connection is open");
        assertTrue(interrupted.await(30, TimeUnit.SECONDS));
        assertEquals(StopReason.LEASE_LOST, attempt.stopReason());
    }

    @Test
    void what_hangs_or_throws_does_not_keep_the_interrupt_away() throws Exception {
        begin();
        attempt.onStop(() -> {
            throw new IllegalStateException("the connection is closed");
        });
        attempt.onStop(() -> new CountDownLatch(1).await());

        new StopActions(threads).stop(attempt, StopReason.TIMED_OUT);

        assertTrue(interrupted.await(30, TimeUnit.SECONDS));
    }

    @Test
    void where_no_thread_is_left_the_interrupt_comes_all_the_same() throws Exception {
        begin();
        attempt.onStop(() -> {});

        new StopActions(task -> {
                    throw new RejectedExecutionException("closed");
                })
                .stop(attempt, StopReason.SERVER_STOPS);

        assertTrue(interrupted.await(30, TimeUnit.SECONDS));
    }

    @Test
    void whoever_has_ended_meanwhile_is_not_interrupted() {
        begin();
        attempt.onStop(attempt::ends);

        new StopActions(Runnable::run).stop(attempt, StopReason.LEASE_LOST);

        assertFalse(job.isInterrupted());
        assertEquals(1, interrupted.getCount());
    }
}
