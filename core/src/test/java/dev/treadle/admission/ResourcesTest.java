package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Await;
import dev.treadle.job.ResourceUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    private static final Map<String, Integer> DB = Map.of("db", 1);
    private static final Map<String, Integer> PDF = Map.of("pdf", 1);
    private static final Map<String, Integer> BOTH = Map.of("db", 1, "pdf", 1);

    private final Resources resources = resources(2, 1);

    private static Resources resources(int db, int pdf) {
        Map<String, Integer> permits = new LinkedHashMap<>();
        permits.put("db", db);
        permits.put("pdf", pdf);
        return new Resources(permits, 64);
    }

    @Test
    void whoever_takes_several_times_gets_what_is_free_and_no_more() {
        assertEquals(2, resources.tryTake(DB, 5));
        assertEquals(0, resources.tryTake(DB, 1));
        resources.giveBack(DB, 1);
        assertEquals(1, resources.tryTake(DB, 5));
        assertEquals(List.of(use("db", 2, 2, 0), use("pdf", 1, 0, 0)), resources.use());
    }

    @Test
    void those_who_wait_are_served_in_the_order_in_which_they_came() {
        List<Integer> served = new CopyOnWriteArrayList<>();
        resources.request(PDF, () -> {});
        for (int i = 0; i < 5; i++) {
            int number = i;
            resources.request(PDF, () -> served.add(number));
        }

        for (int i = 0; i < 5; i++) {
            resources.giveBack(PDF, 1);
        }

        assertEquals(List.of(0, 1, 2, 3, 4), served);
    }

    @Test
    void nobody_overtakes_who_waits_for_more_than_is_free() {
        resources.request(DB, () -> {});
        Resources.PendingAcquire large = resources.request(Map.of("db", 2), () -> {});

        assertEquals(0, resources.tryTake(DB, 1), "one is free, and somebody waits for two");
        assertFalse(large.isGranted());
        resources.giveBack(DB, 1);
        assertTrue(large.isGranted());
    }

    @Test
    void all_of_a_wish_comes_at_once_and_meanwhile_nothing_of_it_is_held() {
        resources.request(PDF, () -> {});
        Resources.PendingAcquire both = resources.request(BOTH, () -> {});

        assertEquals(List.of(use("db", 2, 0, 1), use("pdf", 1, 1, 1)), resources.use());
        resources.giveBack(PDF, 1);
        assertTrue(both.isGranted());
        assertEquals(List.of(use("db", 2, 1, 0), use("pdf", 1, 1, 0)), resources.use());
    }

    @Test
    void whoever_leaves_the_line_lets_the_next_go_on_and_gives_back_what_it_was_granted() {
        resources.request(DB, () -> {});
        Resources.PendingAcquire large = resources.request(Map.of("db", 2), () -> {});
        Resources.PendingAcquire small = resources.request(DB, () -> {});

        large.leave();
        assertTrue(small.isGranted());
        small.leave();
        assertEquals(1, resources.tryTake(DB, 2));
    }

    @Test
    void more_than_there_is_counts_as_all_there_is() {
        resources.request(Map.of("db", 100), () -> {});

        assertEquals(use("db", 2, 2, 0), resources.use().get(0));
        resources.giveBack(Map.of("db", 100), 1);
        assertEquals(use("db", 2, 0, 0), resources.use().get(0));
    }

    @Test
    void nobody_waits_for_a_resource_of_which_nothing_was_said_and_it_is_counted() {
        resources.request(Map.of("gpu", 5), () -> {});

        assertEquals(1_000, resources.tryTake(Map.of("gpu", 5), 1_000));
        assertEquals(new ResourceUse("gpu", null, 5_005, 0), resources.use().get(2));
    }

    @Test
    void every_node_has_a_heap_of_which_jobs_may_estimate_a_part_each() {
        assertEquals(2, resources.tryTake(Map.of("heap", 32), 3));
        assertEquals(use("heap", 64, 64, 0), resources.use().get(2));
    }

    @Test
    void names_that_nobody_declared_are_counted_together_from_some_number_on() {
        for (int i = 0; i < 1_000; i++) {
            resources.tryTake(Map.of("name " + i, 1), 1);
        }

        assertEquals(2 + Resources.UNKNOWN_MAX + 1, resources.use().size());
    }

    @Test
    void many_threads_with_wishes_of_all_kinds_never_hold_too_much_and_all_get_through() throws Exception {
        Resources many = resources(3, 2);
        AtomicInteger db = new AtomicInteger();
        AtomicInteger pdf = new AtomicInteger();
        AtomicInteger tooMany = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        for (int thread = 0; thread < 16; thread++) {
            Random random = new Random(thread);
            threads.execute(() -> {
                for (int i = 0; i < 2_000; i++) {
                    Map<String, Integer> wish =
                            List.of(DB, PDF, BOTH, Map.of("db", 2, "pdf", 2)).get(random.nextInt(4));
                    assertTakes(many, wish);
                    int dbNow = db.addAndGet(wish.getOrDefault("db", 0));
                    int pdfNow = pdf.addAndGet(wish.getOrDefault("pdf", 0));
                    if (dbNow > 3 || pdfNow > 2) {
                        tooMany.incrementAndGet();
                    }
                    db.addAndGet(-wish.getOrDefault("db", 0));
                    pdf.addAndGet(-wish.getOrDefault("pdf", 0));
                    many.giveBack(wish, 1);
                }
            });
        }
        threads.shutdown();

        assertTrue(threads.awaitTermination(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "all got through");
        assertEquals(0, tooMany.get());
        assertEquals(List.of(use("db", 3, 0, 0), use("pdf", 2, 0, 0)), many.use());
    }

    private static void assertTakes(Resources resources, Map<String, Integer> wish) {
        CountDownLatch granted = new CountDownLatch(1);
        resources.request(wish, granted::countDown);
        try {
            granted.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ResourceUse use(String name, int permits, int inUse, int waiting) {
        return new ResourceUse(name, permits, inUse, waiting);
    }
}
