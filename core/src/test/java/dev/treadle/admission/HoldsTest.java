package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobContext.Held;
import dev.treadle.job.ResourceUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // what is held need not be named again
class HoldsTest {
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
        Holds holds = new Holds(resources, DB);
        resources.take(DB);
        resources.take(DB);

        try (Held pdf = holds.take(BOTH);
                Held again = holds.take(PDF)) {
            assertEquals(use("pdf", 1, 1, 0), resources.use().get(1));
        }
        assertEquals(use("pdf", 1, 0, 0), resources.use().get(1));
    }

    @Test
    void whoever_holds_one_thing_may_not_ask_for_what_was_declared_before_it() throws InterruptedException {
        Holds holds = new Holds(resources, Map.of());
        try (Held pdf = holds.take(PDF)) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> holds.take(DB));
            assertTrue(refused.getMessage().contains("two jobs could wait for each other"), refused.getMessage());
        }
        try (Held db = holds.take(DB);
                Held pdf = holds.take(PDF)) {
            assertThrows(IllegalStateException.class, () -> holds.take(Map.of("db", 2)), "two that hold one each");
        }
        assertEquals(List.of(use("db", 2, 0, 0), use("pdf", 1, 0, 0)), resources.use());
    }

    @Test
    void what_is_given_back_twice_counts_once_and_what_is_left_is_given_back_at_the_end() throws InterruptedException {
        Holds holds = new Holds(resources, Map.of());
        Held first = holds.take(DB);
        first.close();
        first.close();
        holds.take(DB);

        assertEquals(List.of("db"), holds.close());
        assertEquals(use("db", 2, 0, 0), resources.use().get(0));
    }

    @Test
    void a_job_that_estimates_its_heap_may_ask_for_anything_for_a_part_of_itself() throws InterruptedException {
        resources.take(HEAP);
        Holds holds = new Holds(resources, HEAP);
        try (Held db = holds.take(DB);
                Held pdf = holds.take(PDF)) {
            assertEquals(List.of(1L, 1L, 16L), inUse(resources));
        }
    }

    @Test
    void the_heap_comes_first_whether_or_not_anybody_has_used_it_yet() throws InterruptedException {
        Holds holds = new Holds(resources, Map.of());
        try (Held db = holds.take(DB)) {
            IllegalStateException refused = assertThrows(IllegalStateException.class, () -> holds.take(HEAP));
            assertTrue(refused.getMessage().contains("comes first where it is not declared"), refused.getMessage());
        }
    }

    @Test
    void a_heap_that_is_declared_has_the_place_in_which_it_was() throws InterruptedException {
        Resources declared = resources("db", 2, "heap", 64);
        try (Held db = new Holds(declared, Map.of()).take(DB)) {
            assertEquals(List.of(1L, 0L), inUse(declared));
        }
        Holds holds = new Holds(declared, HEAP);
        assertThrows(IllegalStateException.class, () -> holds.take(DB));
    }

    private static List<Long> inUse(Resources of) {
        return of.use().stream().map(ResourceUse::inUse).toList();
    }

    private static ResourceUse use(String name, int permits, int inUse, int waiting) {
        return new ResourceUse(name, permits, inUse, waiting);
    }
}
