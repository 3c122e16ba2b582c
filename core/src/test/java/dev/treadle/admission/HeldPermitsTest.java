package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.job.JobContext.Held;
import dev.treadle.job.ResourceUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@SuppressWarnings("try") // what is held need not be named again
class HeldPermitsTest {
    private static final Map<String, Integer> DB = Map.of("db", 1);
    private static final Map<String, Integer> PDF = Map.of("pdf", 1);
    private static final Map<String, Integer> BOTH = Map.of("db", 1, "pdf", 1);
    private static final Map<String, Integer> HEAP = Map.of("heap", 16);

    private final Resources resources = resources("db", 2, "pdf", 1);

    private static Resources resources(String first, int many, String second, int few) {
        Map<String, Integer> permits = new LinkedHashMap<>();
        permits.put(first, many);
        permits.put(second, few);
        return new Resources(permits, 64);
    }

    @Test
    void what_is_held_is_not_waited_for_again() throws InterruptedException {
        HeldPermits holds = new HeldPermits(resources, DB);
        resources.request(DB, () -> {});
        resources.request(DB, () -> {});

        try (Held pdf = take(holds, BOTH);
                Held again = take(holds, PDF)) {
            assertEquals(use("pdf", 1, 1, 0), resources.use().get(1));
        }
        assertEquals(use("pdf", 1, 0, 0), resources.use().get(1));
    }

    @Test
    void whoever_holds_one_thing_may_not_ask_for_what_was_declared_before_it() throws InterruptedException {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        try (Held pdf = take(holds, PDF)) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> take(holds, DB));
            assertTrue(refused.getMessage().contains("two jobs could wait for each other"), refused.getMessage());
        }
        try (Held db = take(holds, DB);
                Held pdf = take(holds, PDF)) {
            assertThrows(IllegalStateException.class, () -> take(holds, Map.of("db", 2)), "two that hold one each");
        }
        assertEquals(List.of(use("db", 2, 0, 0), use("pdf", 1, 0, 0)), resources.use());
    }

    @Test
    void what_is_given_back_twice_counts_once_and_what_is_left_is_given_back_at_the_end() throws InterruptedException {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        Held first = take(holds, DB);
        first.close();
        first.close();
        take(holds, DB);

        assertEquals(List.of("db"), holds.close());
        assertEquals(use("db", 2, 0, 0), resources.use().get(0));
    }

    @Test
    void an_interrupt_ends_the_waiting_and_leaves_nothing_behind() throws InterruptedException {
        resources.request(PDF, () -> {});
        HeldPermits holds = new HeldPermits(resources, Map.of());
        CountDownLatch ended = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            assertThrows(InterruptedException.class, () -> take(holds, PDF));
            ended.countDown();
        });
        waiting.start();
        Await.until("it waits", () -> resources.use().get(1).waiting() == 1);

        waiting.interrupt();

        assertTrue(ended.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals(use("pdf", 1, 1, 0), resources.use().get(1));
        resources.giveBack(PDF, 1);
        assertEquals(1, resources.tryTake(PDF, 1));
    }

    @Test
    void code_that_was_forked_gets_nothing_of_what_was_held_when_it_was_even_where_more_is_free() throws Exception {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        try (Held db = take(holds, DB)) {
            PermitRequester fork = forked(holds, PermitRequester.of(Thread.currentThread()), () -> false);
            PermitRequester inner = forked(holds, fork, () -> false);

            assertRefused("could wait for the other", () -> holds.take(DB, fork));
            assertRefused("could wait for the other", () -> holds.take(DB, inner));
            holds.take(PDF, inner).close();
        }
        assertEquals(List.of(0L, 0L), inUse(resources));
    }

    @Test
    void code_that_was_forked_counts_as_its_own_what_the_job_holds_as_a_whole() throws InterruptedException {
        Resources one = resources("db", 1, "pdf", 1);
        one.request(DB, () -> {});
        HeldPermits holds = new HeldPermits(one, DB);
        PermitRequester fork = forked(holds, PermitRequester.of(Thread.currentThread()), () -> true);

        holds.take(DB, fork).close();

        assertEquals(List.of(1L, 0L), inUse(one));
    }

    @Test
    void what_was_taken_after_the_fork_counts_while_its_taker_waits_for_the_fork_and_no_longer() throws Exception {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        AtomicBoolean waits = new AtomicBoolean();
        PermitRequester fork = forked(holds, PermitRequester.of(Thread.currentThread()), waits::get);
        try (Held db = take(holds, DB)) {
            holds.take(DB, fork).close();
            waits.set(true);
            assertRefused("could wait for the other", () -> holds.take(DB, fork));
            waits.set(false);
            holds.take(DB, fork).close();
        }
        waits.set(true);
        holds.take(DB, fork).close();
    }

    @Test
    void nobody_may_wait_for_what_comes_before_that_which_the_code_around_holds() throws Exception {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        try (Held pdf = take(holds, PDF)) {
            PermitRequester fork = forked(holds, PermitRequester.of(Thread.currentThread()), () -> false);
            assertRefused("declared before", () -> holds.take(DB, fork));
        }
        try (Held gpu = take(holds, Map.of("gpu", 1))) {
            PermitRequester fork = forked(holds, PermitRequester.of(Thread.currentThread()), () -> false);
            holds.take(Map.of("gpu", 1), fork).close();
        }
    }

    @Test
    void whoever_waits_is_refused_as_soon_as_the_code_around_waits_for_it() throws Exception {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        AtomicBoolean waits = new AtomicBoolean();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        PermitRequester fork = forked(holds, PermitRequester.of(Thread.currentThread()), waits::get);
        try (Held pdf = take(holds, PDF)) {
            Thread waiting = new Thread(() -> thrown.set(assertThrows(Throwable.class, () -> holds.take(PDF, fork))));
            waiting.start();
            Await.until("it waits", () -> resources.use().get(1).waiting() == 1);

            holds.codeWaits();
            assertEquals(1, resources.use().get(1).waiting(), "nobody waits for it yet");
            waits.set(true);
            holds.codeWaits();

            Await.until("it waits no more", () -> resources.use().get(1).waiting() == 0);
            waiting.join();
        }
        assertEquals(IllegalStateException.class, thrown.get().getClass());
        assertEquals(List.of(0L, 0L), inUse(resources));
    }

    @Test
    void nothing_is_taken_once_the_run_has_ended_and_whoever_waits_then_is_told() throws Exception {
        resources.request(PDF, () -> {});
        HeldPermits holds = new HeldPermits(resources, HEAP);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = new Thread(() -> thrown.set(assertThrows(Throwable.class, () -> take(holds, PDF))));
        waiting.start();
        Await.until("it waits", () -> resources.use().get(1).waiting() == 1);

        holds.close();
        Await.until("it waits no more", () -> resources.use().get(1).waiting() == 0);
        waiting.join();

        assertEquals(IllegalStateException.class, thrown.get().getClass());
        assertRefused("has ended", () -> take(holds, DB));
        assertRefused("has ended", () -> take(holds, HEAP));
        assertEquals(List.of(0L, 1L, 0L), inUse(resources));
    }

    @Test
    void nothing_stays_held_when_many_threads_ask_while_the_run_ends() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int round = 0; round < 500; round++) {
            HeldPermits holds = new HeldPermits(resources, Map.of());
            CountDownLatch refused = new CountDownLatch(4);
            for (int i = 0; i < 4; i++) {
                threads.execute(() -> {
                    assertThrows(IllegalStateException.class, () -> {
                        while (true) {
                            take(holds, BOTH).close();
                        }
                    });
                    refused.countDown();
                });
            }
            holds.close();
            assertTrue(refused.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertEquals(List.of(0L, 0L), inUse(resources));
        }
        threads.shutdown();
    }

    private static PermitRequester forked(HeldPermits holds, PermitRequester by, BooleanSupplier waits) {
        List<PermitRequester.Above> above =
                new ArrayList<>(List.of(new PermitRequester.Above(by.self(), holds.taken(), waits)));
        above.addAll(by.above());
        return new PermitRequester(new Object(), above);
    }

    private static void assertRefused(String because, Executable take) {
        IllegalStateException refused = assertThrows(IllegalStateException.class, take);
        assertTrue(refused.getMessage().contains(because), refused.getMessage());
    }

    private static Held take(HeldPermits holds, Map<String, Integer> wanted) throws InterruptedException {
        return holds.take(wanted, PermitRequester.of(Thread.currentThread()));
    }

    @Test
    void a_job_that_estimates_its_heap_may_ask_for_anything_for_a_part_of_itself() throws InterruptedException {
        resources.request(HEAP, () -> {});
        HeldPermits holds = new HeldPermits(resources, HEAP);
        try (Held db = take(holds, DB);
                Held pdf = take(holds, PDF)) {
            assertEquals(List.of(1L, 1L, 16L), inUse(resources));
        }
    }

    @Test
    void the_heap_comes_first_whether_or_not_anybody_has_used_it_yet() throws InterruptedException {
        HeldPermits holds = new HeldPermits(resources, Map.of());
        try (Held db = take(holds, DB)) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> take(holds, HEAP));
            assertTrue(refused.getMessage().contains("comes first because it is not declared"), refused.getMessage());
        }
    }

    @Test
    void a_heap_that_is_declared_has_the_place_in_which_it_was() throws InterruptedException {
        Resources declared = resources("db", 2, "heap", 64);
        try (Held db = take(new HeldPermits(declared, Map.of()), DB)) {
            assertEquals(List.of(1L, 0L), inUse(declared));
        }
        HeldPermits holds = new HeldPermits(declared, HEAP);
        assertThrows(IllegalStateException.class, () -> take(holds, DB));
    }

    private static List<Long> inUse(Resources of) {
        return of.use().stream().map(ResourceUse::inUse).toList();
    }

    private static ResourceUse use(String name, int permits, int inUse, int waiting) {
        return new ResourceUse(name, permits, inUse, waiting);
    }
}
