package dev.treadle.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.KeyRule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How much room a key has. */
class KeySlotsTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    private static KeySlots joined(KeySlots slots, int count) {
        KeySlots joined = slots;
        for (int i = 0; i < count; i++) {
            joined = joined.joined();
        }
        return joined;
    }

    @Test
    void a_limit_has_room_for_what_is_not_held() {
        KeySlots slots = joined(KeySlots.empty(KeyRule.limit("k", 3)), 5);
        assertEquals(3, slots.room(START));

        KeySlots full = slots.granted(3, START);
        assertEquals(0, full.room(START));
        assertEquals(1, full.released().room(START));
        assertEquals(2, full.under(KeyRule.limit("k", 5)).room(START));
        assertEquals(0, full.under(KeyRule.limit("k", 1)).released().room(START));
        assertNull(full.wakeAt());
        assertFalse(full.isIdle(START));
        assertTrue(joined(KeySlots.empty(KeyRule.mailbox("k")), 1)
                .granted(1, START)
                .released()
                .isIdle(START));
    }

    @Test
    void a_rate_never_lets_more_through_within_any_period_and_nearly_as_many_while_there_are_enough() {
        Random random = new Random(42);
        for (int round = 0; round < 300; round++) {
            int count = 1 + random.nextInt(round % 3 == 0 ? 500 : 12);
            Duration period = Duration.ofMillis(1 + random.nextInt(5_000));
            KeyRule.Rate rate = KeyRule.rate("k", count, period);
            List<Instant> passed = passed(rate, random, 4 * count);
            for (int i = 0; i + count < passed.size(); i++) {
                Duration took = Duration.between(passed.get(i), passed.get(i + count));
                assertTrue(
                        took.compareTo(period) >= 0, () -> count + " per " + period + " and one more within " + took);
            }
        }
    }

    private static List<Instant> passed(KeyRule.Rate rate, Random random, int total) {
        KeySlots slots = joined(KeySlots.empty(rate), total);
        Instant now = START;
        List<Instant> passed = new ArrayList<>();
        while (passed.size() < total) {
            int room = slots.room(now);
            slots = slots.granted(room, now);
            for (int i = 0; i < room; i++) {
                passed.add(now);
            }
            Instant wake = slots.wakeAt();
            // sometimes at once when there is room, sometimes late, sometimes too early
            Instant next =
                    wake == null || random.nextInt(3) == 0 ? now.plusNanos(1_000L * random.nextInt(1_000_000)) : wake;
            now = next.isAfter(now) ? next : now.plusNanos(1_000);
        }
        return passed;
    }

    @Test
    void who_looks_at_each_wake_gets_nine_tenths_of_the_rate() {
        for (int count : List.of(1, 2, 9, 10, 25, 100, 1_000)) {
            KeyRule.Rate rate = KeyRule.rate("k", count, Duration.ofSeconds(10));
            KeySlots slots = joined(KeySlots.empty(rate), 100 * count);
            Instant now = START;
            int passed = 0;
            while (now.isBefore(START.plusSeconds(100))) {
                int room = slots.room(now);
                assertTrue(passed == 0 || room > 0, "woken in vain");
                slots = slots.granted(room, now);
                passed += room;
                Instant wake = slots.wakeAt();
                now = wake != null && wake.isAfter(now) ? wake : now.plusNanos(1_000);
            }
            int least = 10 * count * 9 / 10;
            int got = passed;
            assertTrue(got >= least, () -> got + " passed at a rate of " + count + " in ten periods");
        }
    }

    @Test
    void a_rate_is_forgotten_when_all_that_has_come_is_paid_for() {
        KeyRule.Rate rate = KeyRule.rate("k", 2, Duration.ofSeconds(10));
        KeySlots slots = joined(KeySlots.empty(rate), 1).granted(1, START);

        assertEquals(START.plusSeconds(5), slots.wakeAt());
        assertFalse(slots.isIdle(START.plusSeconds(4)));
        assertTrue(slots.isIdle(START.plusSeconds(5)));
        assertEquals(slots, slots.released());
    }
}
