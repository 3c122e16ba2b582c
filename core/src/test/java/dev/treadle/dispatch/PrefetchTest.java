package dev.treadle.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PrefetchTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private final Prefetch prefetch = new Prefetch(now::get);

    @Test
    void a_node_that_has_ended_nothing_takes_nothing_ahead() {
        assertEquals(0, prefetch.jobs());
        assertEquals(0, jobsAfter(0, 1_000));
    }

    @Test
    void slow_jobs_are_left_to_other_nodes() {
        assertEquals(0, jobsAfter(8, 1_000), "eight a second is less than one in the time ahead");
        assertEquals(0, jobsAfter(19, 1_000));
        assertEquals(1, jobsAfter(20, 1_000));
    }

    @Test
    void of_fast_jobs_as_many_are_taken_ahead_as_end_in_the_time_ahead() {
        assertEquals(100, jobsAfter(2_000, 1_000));
        assertEquals(250, jobsAfter(100, 20));
    }

    @Test
    void never_more_than_the_maximum() {
        assertEquals(Prefetch.PREFETCH_MAX, jobsAfter(1_000_000, 100));
    }

    @Test
    void the_rate_is_that_of_late_not_of_all_time() {
        assertTrue(jobsAfter(10_000, 1_000) > 0);

        assertEquals(0, jobsAfter(1, 1_000));
    }

    @Test
    void within_a_window_the_number_stays() {
        int before = jobsAfter(2_000, 1_000);

        assertEquals(before, jobsAfter(500, 19), "a window too short to judge by");
    }

    @Test
    void a_long_pause_brings_it_back_to_nothing() {
        jobsAfter(10_000, 1_000);

        assertEquals(0, jobsAfter(0, Duration.ofHours(1).toMillis()));
    }

    private int jobsAfter(int ended, long millis) {
        for (int i = 0; i < ended; i++) {
            prefetch.oneEnded();
        }
        now.updateAndGet(before -> before.plusMillis(millis));
        return prefetch.jobs();
    }
}
