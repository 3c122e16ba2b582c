package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatsTest {
    @Test
    void the_median_is_the_middle_or_the_mean_of_the_two_in_the_middle() {
        assertEquals(2, Stats.median(3, 1, 2));
        assertEquals(2.5, Stats.median(4, 1, 3, 2));
        assertEquals(7, Stats.median(7));
    }

    @Test
    void a_percentile_is_a_value_that_was_measured() {
        double[] hundred = IntStream.rangeClosed(1, 100).asDoubleStream().toArray();
        assertEquals(50, Stats.percentile(50, hundred));
        assertEquals(99, Stats.percentile(99, hundred));
        assertEquals(100, Stats.percentile(100, hundred));
        assertEquals(5, Stats.percentile(99, 5));
    }

    @Test
    void least_and_greatest_do_not_change_what_they_are_given() {
        double[] values = {2, 3, 1};
        assertEquals(1, Stats.min(values));
        assertEquals(3, Stats.max(values));
        assertEquals(2, values[0]);
    }

    @Test
    void of_nothing_there_are_no_statistics() {
        assertThrows(IllegalArgumentException.class, Stats::median);
    }
}
