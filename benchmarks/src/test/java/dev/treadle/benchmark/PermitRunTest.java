package dev.treadle.benchmark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PermitRunTest {
    @Test
    void a_wait_is_from_the_end_that_made_room_or_from_the_commit_if_that_came_later() {
        long[] begins = millis(0, 0, 0, 0, 25, 31, 44);
        long[] ends = millis(30, 20, 40, 50, 60, 60, 60);
        long[] enqueued = millis(0, 0, 0, 0, 0, 30, 42);

        // the first permit comes free at 20, the next ones at 30 and 40
        assertArrayEquals(new double[] {5, 1, 2}, PermitRun.waits(begins, ends, enqueued));
    }

    @Test
    void a_job_that_begins_before_its_enqueue_returns_has_not_waited() {
        long[] begins = millis(0, 0, 0, 0, 25);
        long[] ends = millis(20, 30, 40, 50, 60);

        assertArrayEquals(new double[] {0}, PermitRun.waits(begins, ends, millis(0, 0, 0, 0, 26)));
    }

    private static long[] millis(long... millis) {
        return LongStream.of(millis).map(one -> one * 1_000_000).toArray();
    }
}
