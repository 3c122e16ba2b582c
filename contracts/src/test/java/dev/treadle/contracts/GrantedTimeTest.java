package dev.treadle.contracts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GrantedTimeTest {
    private static final Duration SOME = Duration.ofMillis(100);

    @Test
    void it_passes_and_never_faster_than_the_clock() {
        long began = System.nanoTime();
        try (GrantedTime time = GrantedTime.begin()) {
            while (time.passed().compareTo(SOME) < 0) {
                LockSupport.parkNanos(1_000_000);
            }
            Duration granted = time.passed();

            Duration clock = Duration.ofNanos(System.nanoTime() - began);
            assertTrue(clock.compareTo(granted) >= 0, () -> granted + " granted within " + clock);
        }
    }

    @Test
    void what_was_granted_before_anybody_waited_is_nothing() {
        GrantedTime time = GrantedTime.begin();
        time.close();

        assertEquals(0, time.passed().dividedBy(SOME));
    }
}
