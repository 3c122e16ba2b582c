package dev.treadle.executor.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.discovery.ChosenExecutor;
import dev.treadle.discovery.ExecutorDiscovery;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is particular to virtual threads; the rest is in the contract. */
class VirtualThreadJobRunrExecutorTest {
    private final VirtualThreadJobRunrExecutor executor = new VirtualThreadJobRunrExecutor();

    @Test
    void each_task_has_a_new_numbered_virtual_thread() throws Exception {
        executor.start();

        for (int number = 1; number <= 3; number++) {
            CompletableFuture<Thread> lent = new CompletableFuture<>();
            executor.execute(() -> lent.complete(Thread.currentThread()));

            Thread thread = lent.get(30, TimeUnit.SECONDS);
            assertTrue(thread.isVirtual());
            assertEquals("treadle-virtual-" + number, thread.getName());
        }
    }

    @Test
    void before_the_start_and_after_the_stop_a_task_is_refused_with_the_reason() {
        assertEquals("The executor 'virtual' is not started yet, so it takes no task.", refusal());
        executor.start();
        executor.stop();
        assertEquals("The executor 'virtual' is stopped, so it takes no task.", refusal());
    }

    @Test
    void a_task_sees_nothing_of_the_thread_that_handed_it_over() throws Exception {
        ClassLoader application = new URLClassLoader("application", new URL[0], null);
        ClassLoader request = new URLClassLoader("request", new URL[0], null);
        InheritableThreadLocal<String> user = new InheritableThreadLocal<>();
        CompletableFuture<String> seen = new CompletableFuture<>();
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try {
            current.setContextClassLoader(application);
            executor.start();
            current.setContextClassLoader(request);
            user.set("alice");
            executor.execute(() ->
                    seen.complete(Thread.currentThread().getContextClassLoader().getName() + " " + user.get()));
        } finally {
            current.setContextClassLoader(before);
            user.remove();
        }

        assertEquals("application null", seen.get(30, TimeUnit.SECONDS));
    }

    @Test
    void an_instance_starts_once() {
        executor.start();
        assertThrows(IllegalStateException.class, executor::start);
        executor.stop();
        assertThrows(IllegalStateException.class, executor::start);
    }

    @Test
    void a_thousand_jobs_may_run_at_once_whatever_the_cores() {
        assertEquals(1_000, executor.defaultWorkers(2));
    }

    @Test
    void having_the_jar_is_enough_to_be_chosen_and_the_pool_can_still_be_named() {
        ChosenExecutor chosen = new ExecutorDiscovery().byPriority();

        assertInstanceOf(VirtualThreadJobRunrExecutor.class, chosen.executor());
        assertEquals(
                chosen.executor().getClass(),
                new ExecutorDiscovery().byName("virtual").executor().getClass());
        assertInstanceOf(
                ScheduledThreadPoolJobRunrExecutor.class,
                new ExecutorDiscovery().byName("pool").executor());
    }

    private String refusal() {
        return assertThrows(RejectedExecutionException.class, () -> executor.execute(() -> {}))
                .getMessage();
    }
}
