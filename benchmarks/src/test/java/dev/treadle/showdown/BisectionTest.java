package dev.treadle.showdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BisectionTest {
    private final Bisection bisection = new Bisection(64, 8, 4_096);

    @ParameterizedTest
    @ValueSource(ints = {9, 17, 26, 63, 64, 65, 100, 500, 1_777, 4_095})
    void the_size_found_works_and_is_not_4_percent_above_one_that_does_not(int needed) throws Exception {
        int found = find(size -> size >= needed).orElseThrow();

        assertTrue(found >= needed, found + " for " + needed);
        int below = bisection.tooSmall().orElseThrow().size();
        assertTrue(below < needed && found - below <= Math.max(2, found / 25), found + " and " + below);
        assertTrue(bisection.tried().size() <= 14, bisection.tried()::toString);
    }

    @Test
    void the_size_found_has_worked_twice() throws Exception {
        int found = find(size -> size >= 26).orElseThrow();

        assertEquals(
                2,
                bisection.tried().stream()
                        .filter(tried -> tried.size() == found)
                        .count());
    }

    @Test
    void a_size_that_worked_once_by_luck_is_not_the_answer() throws Exception {
        boolean[] lucky = {true};

        int found = find(size -> {
                    if (size < 40 && size >= 32 && lucky[0]) {
                        lucky[0] = false;
                        return true;
                    }
                    return size >= 40;
                })
                .orElseThrow();

        assertTrue(found >= 40 && found <= 42, bisection.tried()::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 60, 100, 1_000, 4_000})
    void the_size_found_has_worked_twice_and_never_failed_where_luck_decides_near_the_limit(int needed)
            throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            Random luck = new Random(seed);
            Bisection search = new Bisection(64, 8, 4_096);
            // surely only with a fifth more than is needed, in vain only with a fifth less
            Optional<Integer> found = find(search, size -> luck.nextDouble() < 0.5 + 2.5 * (size - needed) / needed);

            if (found.isPresent()) {
                List<Bisection.Tried> tries = search.tried().stream()
                        .filter(tried -> tried.size() == found.get())
                        .toList();
                assertTrue(
                        tries.size() >= 2 && tries.stream().allMatch(Bisection.Tried::works), search.tried()::toString);
                assertTrue(search.tooSmall().map(Bisection.Tried::size).orElse(0) < found.get(), "seed " + seed);
            } else {
                assertEquals(4_096, search.tooSmall().orElseThrow().size(), "seed " + seed);
            }
        }
    }

    @Test
    void nothing_is_found_where_the_largest_does_not_work() throws Exception {
        assertEquals(Optional.empty(), find(size -> false));
        assertEquals(4_096, bisection.tooSmall().orElseThrow().size());
    }

    @Test
    void the_smallest_allowed_is_found_where_everything_works() throws Exception {
        assertEquals(Optional.of(8), find(size -> true));
        assertTrue(bisection.tooSmall().isEmpty());
    }

    private Optional<Integer> find(IntPredicate works) throws Exception {
        return find(bisection, works);
    }

    private static Optional<Integer> find(Bisection search, IntPredicate works) throws Exception {
        return search.find(size -> works.test(size)
                ? new SlipJvm.Ended(Fate.FINISHED, "")
                : new SlipJvm.Ended(Fate.OUT_OF_MEMORY, "too small"));
    }
}
