package dev.treadle.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");

    @Test
    void intervals_are_counted_from_1970_whenever_one_asks() {
        Schedule quarter = Schedule.every(Duration.ofMinutes(15));

        assertEquals(Optional.of(NOON.plus(Duration.ofMinutes(15))), quarter.next(NOON));
        assertEquals(Optional.of(NOON), quarter.next(NOON.minusNanos(1)));
        assertEquals(
                Optional.of(NOON.plusMillis(100)),
                Schedule.every(Duration.ofMillis(100)).next(NOON.plusNanos(1)));
    }

    @Test
    void intervals_may_be_counted_from_an_instant_which_is_the_first_time() {
        Schedule weekly = Schedule.every(Duration.ofDays(7), NOON);

        assertEquals(Optional.of(NOON), weekly.next(Instant.EPOCH));
        assertEquals(Optional.of(NOON.plus(Duration.ofDays(7))), weekly.next(NOON));
        assertEquals(
                Optional.of(NOON.plus(Duration.ofDays(7))),
                weekly.next(NOON.plus(Duration.ofDays(7)).minusNanos(1)));
    }

    @Test
    void a_delay_begins_with_the_end_of_the_run_before() {
        Schedule delay = Schedule.delay(Duration.ofSeconds(90));

        assertEquals(Optional.of(NOON.plusSeconds(90)), delay.next(NOON));
        assertEquals(1, delay.preview(NOON, 5).size());
        assertEquals(
                "then PT1M30S after each run has ended",
                delay.preview(NOON, 5).get(0).note());
    }

    @Test
    void each_kind_comes_back_from_its_text() {
        for (Schedule schedule : List.of(
                Schedule.cron("0 0 2 ? * MON#1", ZoneId.of("America/Argentina/Buenos_Aires")),
                Schedule.cron("@daily", ZoneId.of("+05:30")),
                Schedule.every(Duration.ofMinutes(10)),
                Schedule.every(Duration.ofMillis(1_500), NOON.plusMillis(250)),
                Schedule.delay(Duration.ofHours(36)))) {
            assertEquals(schedule, Schedule.parse(schedule.toText()));
            assertEquals(schedule.toText(), schedule.toString());
        }
        assertEquals(
                "cron Europe/Berlin 0 2 * * *",
                Schedule.cron("0 2 * * *", ZoneId.of("Europe/Berlin")).toText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nightly",
                "cron 0 2 * * *",
                "cron Mars/Base 0 2 * * *",
                "cron UTC 0 2 * *",
                "every",
                "every day",
                "every PT1M since",
                "every PT1M from noon",
                "delay PT0S",
                "delay PT1M x"
            })
    void what_is_no_schedule_is_refused_with_the_text(String text) {
        assertThrows(IllegalArgumentException.class, () -> Schedule.parse(text));
    }

    @Test
    void spans_and_counts_out_of_range_are_refused_with_the_range() {
        for (Duration bad : List.of(
                Duration.ZERO,
                Duration.ofMillis(99),
                Duration.ofDays(3_651),
                Duration.ofNanos(100_000_001),
                Duration.ofDays(-1))) {
            String every = assertThrows(IllegalArgumentException.class, () -> Schedule.every(bad))
                    .getMessage();
            assertTrue(every.contains("PT0.1S to PT87600H in whole milliseconds"), every);
            assertThrows(IllegalArgumentException.class, () -> Schedule.delay(bad));
        }
        assertThrows(IllegalArgumentException.class, () -> Schedule.every(Duration.ofDays(1), NOON.plusNanos(1)));
        for (int bad : new int[] {0, -1, Schedule.PREVIEW_MAX + 1}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Schedule.every(Duration.ofDays(1)).preview(NOON, bad));
        }
    }

    @Test
    void the_rules_come_back_from_their_text_and_have_ranges() {
        for (Missed missed : List.of(Missed.SKIP, Missed.ONCE, Missed.all(1), Missed.all(10_000))) {
            assertEquals(missed, Missed.parse(missed.toText()));
        }
        assertEquals(Missed.SKIP, Missed.all(0));
        for (String bad : List.of("", "all", "all -1", "all 10001", "all 99999999999", "never")) {
            assertThrows(IllegalArgumentException.class, () -> Missed.parse(bad));
        }
        assertThrows(IllegalArgumentException.class, () -> RecurringRules.DEFAULT.withMissedAfter(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> RecurringRules.DEFAULT.withJitter(Duration.ofDays(2)));
    }
}
