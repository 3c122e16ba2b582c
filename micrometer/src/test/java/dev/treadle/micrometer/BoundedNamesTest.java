package dev.treadle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedNamesTest {
    @Test
    void the_first_names_stay_as_they_are_and_the_others_share_one() {
        BoundedNames names = new BoundedNames(2, "(others)");
        assertEquals("a", names.of("a"));
        assertEquals("b", names.of("b"));
        assertEquals("(others)", names.of("c"));
        assertEquals("a", names.of("a"));
    }

    @Test
    void threads_at_the_same_time_do_not_exceed_the_bound() {
        BoundedNames names = new BoundedNames(10, "(others)");
        Set<String> shown = IntStream.range(0, 20_000)
                .parallel()
                .mapToObj(n -> names.of("queue-" + n % 500))
                .collect(Collectors.toSet());
        assertEquals(11, shown.size());
    }
}
