package dev.treadle.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to the pool; the rest is in the contract that the contracts module holds it to. */
class ScheduledThreadPoolJobRunrExecutorTest {
    private final ScheduledThreadPoolJobRunrExecutor pool = new ScheduledThreadPoolJobRunrExecutor();

    @Test
    void threads_are_numbered_from_one_in_each_pool_and_keep_the_jvm() throws Exception {
        pool.start(new ExecutorSettings(1));
        CompletableFuture<Thread> lent = new CompletableFuture<>();
        pool.execute(() -> lent.complete(Thread.currentThread()));
        pool.stop();

        assertEquals(
                "backgroundjob-worker-pool-1", lent.get(30, TimeUnit.SECONDS).getName());
        assertFalse(lent.get().isDaemon());
    }

    @Test
    void before_the_start_and_after_the_stop_a_task_is_refused_with_the_reason() {
        assertEquals("The executor 'pool' is not started yet, so it takes no task.", refusal());
        pool.stop();
        assertEquals("The executor 'pool' is stopped, so it takes no task.", refusal());
    }

    @Test
    void an_instance_starts_once() {
        pool.start(new ExecutorSettings(1));
        assertThrows(IllegalStateException.class, pool::start);
        pool.stop();
        assertEquals("The executor 'pool' is stopped, so it takes no task.", refusal());
        assertThrows(IllegalStateException.class, pool::start);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 100_001})
    void a_worker_count_out_of_range_fails_with_the_range(int workers) {
        String message = assertThrows(IllegalArgumentException.class, () -> new ExecutorSettings(workers))
                .getMessage();

        assertEquals("ExecutorSettings.workers is " + workers + " and must be 1 to 100000.", message);
    }

    private String refusal() {
        return assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}))
                .getMessage();
    }
}
