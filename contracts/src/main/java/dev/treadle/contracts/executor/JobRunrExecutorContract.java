package dev.treadle.contracts.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.executor.ExecutorSettings;
import dev.treadle.executor.JobRunrExecutor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every executor must do. Extend it, hand over a new executor, and it runs; it needs no server and no database. */
public abstract class JobRunrExecutorContract {
    private static final int MANY = 10_000;
    private static final int CALLERS = 8;
    private static final int WAIT_SECONDS_MAX = Tasks.WAIT_SECONDS_MAX;

    private JobRunrExecutor executor;

    /** For subclasses. */
    protected JobRunrExecutorContract() {}

    /** A new executor that is not started. */
    protected abstract JobRunrExecutor newExecutor();

    /** The worker count to start with; an executor of a fixed size says that size. */
    protected int workers() {
        return 16;
    }

    /** Whether {@link ExecutorSettings#workers} sets how many threads are lent; false for an executor of a fixed size. */
    protected boolean takesItsSizeFromSettings() {
        return true;
    }

    /**
     * Whether a task may vanish that is handed over in the very moment of the stop, one for each caller. Say no: only a bare
     * {@link java.util.concurrent.ScheduledThreadPoolExecutor} does that, which then cancels the task without a word.
     */
    protected boolean mayDropAtTheStop() {
        return false;
    }

    @BeforeEach
    final void aNewExecutor() {
        executor = newExecutor();
    }

    @AfterEach
    final void releaseIt() {
        executor.stop();
    }

    @Test
    final void it_has_a_priority_a_name_and_a_worker_count_within_limits() {
        assertNotNull(executor.getPriority(), "getPriority() returned null: discovery skips such a provider");
        assertFalse(executor.executorName().isBlank(), "executorName() is blank");
        for (int cores : new int[] {1, 2, 128}) {
            new ExecutorSettings(executor.defaultWorkers(cores));
        }
    }

    @Test
    final void an_executor_that_says_so_lends_a_thread_beyond_its_workers() throws Exception {
        if (!executor.lendsBeyondWorkers()) {
            return; // it need not
        }
        start(1);
        CountDownLatch all = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
            executor.execute(() -> {
                all.countDown();
                try {
                    all.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        assertTrue(all.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS), "10 tasks did not run at once beside each other");
    }

    @Test
    final void a_task_never_runs_on_the_callers_thread() throws Exception {
        start(workers());
        Tasks tasks = new Tasks(100);

        executeAll(tasks);

        assertEachRanOnce(tasks);
        assertFalse(tasks.threads().contains(Thread.currentThread()), "a task ran on the thread that called execute()");
    }

    @Test
    final void ten_thousand_tasks_from_eight_threads_run_exactly_once_each() throws Exception {
        start(workers());
        Tasks tasks = new Tasks(MANY);
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            int first = caller;
            callers.add(begin("caller-" + caller, () -> {
                for (int i = first; i < MANY; i += CALLERS) {
                    executor.execute(tasks.task(i));
                }
            }));
        }
        joinAll(callers);

        assertEachRanOnce(tasks);
        executor.stop();
        joinAll(tasks.threads());
        assertEachRanOnce(tasks); // still: a second run would have happened by now
    }

    @Test
    final void as_many_tasks_as_workers_run_at_the_same_time() throws Exception {
        assertRunAtOnce(workers());
    }

    @Test
    final void twice_the_workers_in_the_settings_run_twice_the_tasks_at_the_same_time() throws Exception {
        assertRunAtOnce(takesItsSizeFromSettings() ? 2 * workers() : workers());
    }

    @Test
    final void tasks_that_throw_cost_no_thread() throws Exception {
        start(workers());
        for (int i = 0; i < 3 * workers(); i++) {
            executor.execute(
                    i % 2 == 0
                            ? throwing(new IllegalStateException("on purpose"))
                            : throwing(new AssertionError("on purpose")));
        }

        assertAllHeldAtOnce(new Tasks(workers()));
    }

    @Test
    final void after_stop_a_task_is_refused_and_does_not_run() throws Exception {
        start(workers());
        executor.stop();
        Tasks tasks = new Tasks(1);

        assertThrows(RejectedExecutionException.class, () -> executor.execute(tasks.task(0)));

        assertEquals(0, tasks.runsOf(0), "the refused task ran anyway");
    }

    @Test
    final void what_was_accepted_before_stop_still_runs_and_is_not_interrupted() throws Exception {
        start(workers());
        Tasks tasks = new Tasks(3 * workers());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < tasks.count(); i++) {
            executor.execute(tasks.taskHeldBy(i, begun, release));
        }
        assertTrue(begun.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS), "no task began");

        Thread stopping = begin("stopping", executor::stop); // which may wait for the tasks, or not
        release.countDown();

        assertEachRanOnce(tasks);
        joinAll(List.of(stopping));
    }

    @Test
    final void a_task_handed_over_while_it_stops_runs_or_is_refused_but_is_never_dropped() throws Exception {
        start(workers());
        Tasks tasks = new Tasks(MANY);
        AtomicIntegerArray accepted = new AtomicIntegerArray(MANY);
        AtomicInteger next = new AtomicInteger();
        CountDownLatch halfway = new CountDownLatch(MANY / 2);
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            callers.add(begin("caller-" + caller, () -> {
                for (int i = next.getAndIncrement(); i < MANY; i = next.getAndIncrement()) {
                    accepted.set(i, accepts(tasks, i) ? 1 : 0);
                    halfway.countDown();
                }
            }));
        }
        assertTrue(halfway.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS), "execute() is stuck");
        executor.stop();
        joinAll(callers);

        tasks.awaitAll();
        int dropped = 0;
        for (int i = 0; i < MANY; i++) {
            if (tasks.runsOf(i) == 0 && accepted.get(i) == 1) {
                dropped++;
            } else {
                assertEquals(accepted.get(i), tasks.runsOf(i), "runs of task " + i + ", 1 if it was accepted");
            }
        }
        int may = mayDropAtTheStop() ? CALLERS : 0;
        assertTrue(dropped <= may, dropped + " tasks were accepted and did not run");
    }

    @Test
    final void stop_may_be_called_again_and_before_start() throws Exception {
        executor.stop();
        executor.stop();
        executor = newExecutor();
        start(workers());
        executor.stop();
        executor.stop();
    }

    @Test
    final void after_stop_its_threads_end() throws Exception {
        start(workers());
        Tasks tasks = new Tasks(100);
        executeAll(tasks);
        assertEachRanOnce(tasks);

        executor.stop();

        joinAll(tasks.threads());
    }

    private void start(int workers) {
        executor.start(new ExecutorSettings(workers));
    }

    private void executeAll(Tasks tasks) {
        for (int i = 0; i < tasks.count(); i++) {
            executor.execute(tasks.task(i));
        }
    }

    private boolean accepts(Tasks tasks, int index) {
        try {
            executor.execute(tasks.task(index));
            return true;
        } catch (RejectedExecutionException e) {
            tasks.refused();
            return false;
        }
    }

    private static Runnable throwing(Throwable thrown) {
        return () -> {
            // keeps what is thrown on purpose out of the output
            Thread.currentThread().setUncaughtExceptionHandler((thread, ignored) -> {});
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        };
    }

    private static Thread begin(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.start();
        return thread;
    }

    private static void joinAll(Collection<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(WAIT_SECONDS_MAX));
            assertFalse(thread.isAlive(), () -> thread + " did not end");
        }
    }

    private void assertRunAtOnce(int workers) throws InterruptedException {
        start(workers);
        assertAllHeldAtOnce(new Tasks(workers));
    }

    private void assertAllHeldAtOnce(Tasks tasks) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(tasks.count());
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < tasks.count(); i++) {
            executor.execute(tasks.taskHeldBy(i, begun, release));
        }
        assertTrue(
                begun.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS),
                () -> begun.getCount() + " of " + tasks.count()
                        + " tasks were not lent a thread while the others wait");
        release.countDown();
        assertEachRanOnce(tasks);
    }

    private static void assertEachRanOnce(Tasks tasks) throws InterruptedException {
        assertTrue(tasks.awaitAll(), "tasks were accepted and did not run");
        for (int i = 0; i < tasks.count(); i++) {
            assertEquals(1, tasks.runsOf(i), "runs of task " + i);
        }
        assertTrue(tasks.surprises().isEmpty(), () -> tasks.surprises().toString());
    }
}
