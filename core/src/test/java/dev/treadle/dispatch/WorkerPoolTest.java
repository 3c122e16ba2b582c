package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.storage.Leases;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
    private final List<String> started = new ArrayList<>();

    @Test
    void a_fork_takes_a_permit_where_threads_are_few_and_leaves_less_room_for_claims() {
        List<Runnable> lent = new ArrayList<>();
        List<String> freed = new ArrayList<>();
        WorkerPool pool = new WorkerPool(lent::add, 3);
        LocalQueues queues = queues(pool, null, 1);
        assertTrue(shared(queues).tryTake(queues.of("a")));
        queues.of("a").arrived();
        assertEquals(2, shared(queues).room());

        assertTrue(pool.lend(() -> {}, () -> freed.add("one")));
        assertTrue(pool.lend(() -> {}, () -> freed.add("two")));
        assertFalse(pool.lend(() -> {}, () -> freed.add("three")), "all threads are taken");

        assertEquals(0, shared(queues).room());
        assertEquals(1, pool.running(), "forks are no jobs");
        assertEquals(2, pool.stats().forks());
        fill(queues.of("b"), 1);
        shared(queues).handOver(queues.of("b"), this::start);
        assertEquals(List.of(), started);

        lent.forEach(Runnable::run);
        assertEquals(List.of("one", "two"), freed);
        shared(queues).handOver(queues.of("b"), this::start);
        assertEquals(List.of("b"), started);
        assertEquals(0, pool.stats().forks());
    }

    @Test
    void an_executor_that_is_stopped_lends_nothing_and_no_permit_is_lost() {
        WorkerPool pool = new WorkerPool(
                task -> {
                    throw new RejectedExecutionException("stopped");
                },
                1);
        LocalQueues queues = queues(pool, null, 1);

        assertFalse(pool.lend(() -> {}, () -> {}));

        assertEquals(1, shared(queues).room());
        assertEquals(0, pool.permits().taken());
    }

    @Test
    void two_queues_take_turns_by_weight_when_a_permit_is_free() {
        WorkerPool pool = new WorkerPool(Runnable::run, 1);
        LocalQueues queues = queues(pool, null, 3);
        fill(queues.of("a"), 20);
        fill(queues.of("b"), 20);

        for (int ended = 0; ended < 16; ended++) {
            shared(queues).handOver(queues.of("a"), this::start);
            assertEquals(ended + 1, started.size(), "one permit, one start");
            shared(queues).giveBack(queues.of(started.get(ended)));
        }

        assertEquals(4, started.stream().filter("b"::equals).count());
    }

    @Test
    void a_queue_at_its_limit_leaves_the_executor_to_the_others() {
        WorkerPool pool = new WorkerPool(Runnable::run, 10);
        LocalQueues queues = queues(pool, 2, 1);
        fill(queues.of("a"), 20);
        fill(queues.of("b"), 5);

        shared(queues).handOver(queues.of("a"), this::start);

        assertEquals(2, started.stream().filter("a"::equals).count());
        assertEquals(5, started.stream().filter("b"::equals).count());
        assertEquals(7, pool.running());
        assertFalse(shared(queues).tryTake(queues.of("a")), "it is full");
        assertEquals(7, pool.running(), "and what was tried was given back");
        assertTrue(shared(queues).tryTake(queues.of("b")));
    }

    @Test
    void what_waits_for_its_own_limit_takes_no_room_from_others() {
        WorkerPool pool = new WorkerPool(Runnable::run, 10);
        LocalQueues queues = queues(pool, 2, 1);
        for (int i = 0; i < 50; i++) {
            queues.of("a").arrived();
        }

        assertEquals(8, shared(queues).room());
        assertEquals(8, queues.of("b").room(shared(queues).room()));
        assertEquals(0, queues.of("a").room(shared(queues).room()));
    }

    /** A permit taken in vain for a moment must not be what another queue's job was missing for good. */
    @Test
    void no_job_is_left_waiting_when_permits_are_free_however_many_end_at_once() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 200; round++) {
                WorkerPool pool = new WorkerPool(threads, 3);
                LocalQueues queues = queues(pool, 1, 2);
                AtomicInteger done = new AtomicInteger();
                PoolQueues.Starter[] start = new PoolQueues.Starter[1];
                start[0] = task -> threads.execute(() -> {
                    shared(queues).giveBack(task.queue());
                    done.incrementAndGet();
                    shared(queues).handOver(task.queue(), start[0]);
                });
                fill(queues.of("a"), 30);
                fill(queues.of("b"), 30);
                fill(queues.of("c"), 30);
                shared(queues).handOver(queues.of("a"), start[0]);

                Await.until("all have run", () -> done.get() == 90);
                Await.until("all permits are back", () -> pool.running() == 0);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static LocalQueues queues(WorkerPool pool, Integer limitOfA, int weightOfA) {
        return new LocalQueues(
                pool,
                List.of(
                        new QueueConfig("a", limitOfA, weightOfA, pool),
                        new QueueConfig("b", null, 1, pool),
                        new QueueConfig("c", 2, 1, pool)),
                Clock.systemUTC());
    }

    /** All share one pool. */
    private static PoolQueues shared(LocalQueues queues) {
        return queues.pools().iterator().next();
    }

    private static void fill(LocalQueue queue, int jobs) {
        for (int number = 0; number < jobs; number++) {
            queue.waiting().add(Tasks.of(queue, Leases.number(number)));
        }
    }

    private void start(AttemptTask task) {
        started.add(task.queue().name());
    }
}
