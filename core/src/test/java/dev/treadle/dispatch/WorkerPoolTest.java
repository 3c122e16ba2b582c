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
        WorkerPool crew = new WorkerPool(lent::add, 3);
        LocalQueues lines = lines(crew, null, 1);
        assertTrue(crew.tryTake(lines.of("a")));
        lines.of("a").arrived();
        assertEquals(2, crew.room());

        assertTrue(crew.lend(() -> {}, () -> freed.add("one")));
        assertTrue(crew.lend(() -> {}, () -> freed.add("two")));
        assertFalse(crew.lend(() -> {}, () -> freed.add("three")), "all threads are taken");

        assertEquals(0, crew.room());
        assertEquals(1, crew.running(), "forks are no jobs");
        assertEquals(2, crew.state().forks());
        fill(lines.of("b"), 1);
        crew.handOver(lines.of("b"), this::start);
        assertEquals(List.of(), started);

        lent.forEach(Runnable::run);
        assertEquals(List.of("one", "two"), freed);
        crew.handOver(lines.of("b"), this::start);
        assertEquals(List.of("b"), started);
        assertEquals(0, crew.state().forks());
    }

    @Test
    void an_executor_that_is_stopped_lends_nothing_and_no_permit_is_lost() {
        WorkerPool crew = new WorkerPool(
                task -> {
                    throw new RejectedExecutionException("stopped");
                },
                1);
        lines(crew, null, 1);

        assertFalse(crew.lend(() -> {}, () -> {}));

        assertEquals(1, crew.room());
        assertEquals(0, crew.permits().taken());
    }

    @Test
    void two_lines_take_turns_by_weight_when_a_permit_is_free() {
        WorkerPool crew = new WorkerPool(Runnable::run, 1);
        LocalQueues lines = lines(crew, null, 3);
        fill(lines.of("a"), 20);
        fill(lines.of("b"), 20);

        for (int ended = 0; ended < 16; ended++) {
            crew.handOver(lines.of("a"), this::start);
            assertEquals(ended + 1, started.size(), "one permit, one start");
            crew.giveBack(lines.of(started.get(ended)));
        }

        assertEquals(4, started.stream().filter("b"::equals).count());
    }

    @Test
    void a_line_at_its_limit_leaves_the_executor_to_the_others() {
        WorkerPool crew = new WorkerPool(Runnable::run, 10);
        LocalQueues lines = lines(crew, 2, 1);
        fill(lines.of("a"), 20);
        fill(lines.of("b"), 5);

        crew.handOver(lines.of("a"), this::start);

        assertEquals(2, started.stream().filter("a"::equals).count());
        assertEquals(5, started.stream().filter("b"::equals).count());
        assertEquals(7, crew.running());
        assertFalse(crew.tryTake(lines.of("a")), "it is full");
        assertEquals(7, crew.running(), "and what was tried was given back");
        assertTrue(crew.tryTake(lines.of("b")));
    }

    @Test
    void what_waits_for_its_own_limit_takes_no_room_from_others() {
        WorkerPool crew = new WorkerPool(Runnable::run, 10);
        LocalQueues lines = lines(crew, 2, 1);
        for (int i = 0; i < 50; i++) {
            lines.of("a").arrived();
        }

        assertEquals(8, crew.room());
        assertEquals(8, lines.of("b").room(crew.room()));
        assertEquals(0, lines.of("a").room(crew.room()));
    }

    /** A permit taken in vain for a moment must not be what another line's job was missing for good. */
    @Test
    void no_job_is_left_waiting_when_permits_are_free_however_many_end_at_once() throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 200; round++) {
                WorkerPool crew = new WorkerPool(threads, 3);
                LocalQueues lines = lines(crew, 1, 2);
                AtomicInteger done = new AtomicInteger();
                WorkerPool.Starter[] start = new WorkerPool.Starter[1];
                start[0] = task -> threads.execute(() -> {
                    crew.giveBack(task.line());
                    done.incrementAndGet();
                    crew.handOver(task.line(), start[0]);
                });
                fill(lines.of("a"), 30);
                fill(lines.of("b"), 30);
                fill(lines.of("c"), 30);
                crew.handOver(lines.of("a"), start[0]);

                Await.until("all have run", () -> done.get() == 90);
                Await.until("all permits are back", () -> crew.running() == 0);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static LocalQueues lines(WorkerPool crew, Integer limitOfA, int weightOfA) {
        return new LocalQueues(
                crew,
                List.of(
                        new QueueConfig("a", limitOfA, weightOfA, crew),
                        new QueueConfig("b", null, 1, crew),
                        new QueueConfig("c", 2, 1, crew)),
                Clock.systemUTC());
    }

    private static void fill(LocalQueue line, int jobs) {
        for (int number = 0; number < jobs; number++) {
            line.waiting().add(Tasks.of(line, Leases.number(number)));
        }
    }

    private void start(AttemptTask task) {
        started.add(task.line().queue());
    }
}
