package dev.treadle.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeapGuardTest {
    private long ranOut;
    private int admitted;

    @Test
    void a_job_that_ran_out_of_memory_before_the_first_turn_lowers_what_is_admitted() {
        HeapGuard guard = new HeapGuard(
                new HeapLimits(0.70, 0.55, 0.45, 8, 8, 10_000),
                () -> new Heap(100, 10, 5, 5, 0, 0),
                () -> Instant.EPOCH,
                new Gate());
        assertEquals(8, admitted);

        ranOut = 1;
        guard.turn();

        assertEquals(2, admitted);
        assertEquals(1, guard.view().lowered());
    }

    private final class Gate implements HeapGuard.Gate {
        @Override
        public int total() {
            return 20;
        }

        @Override
        public int running() {
            return 0;
        }

        @Override
        public long ended() {
            return ranOut;
        }

        @Override
        public long ranOut() {
            return ranOut;
        }

        @Override
        public boolean isAnyWaiting() {
            return false;
        }

        @Override
        public void admit(int jobs) {
            admitted = jobs;
        }
    }
}
