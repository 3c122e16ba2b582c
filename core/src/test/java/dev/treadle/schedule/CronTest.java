package dev.treadle.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.Month;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class CronTest {
    /** A Sunday. */
    private static final Instant NOW = Instant.parse("2026-11-22T15:00:30Z");

    private static void assertNext(String expected, String expression) {
        Instant next = Schedule.cron(expression).next(NOW).orElseThrow();
        assertEquals(expected, next.atOffset(ZoneOffset.UTC).toLocalDateTime().toString(), expression);
    }

    @Test
    void each_one_comes_when_its_name_says() {
        assertNext("2026-11-22T15:01", Cron.minutely());
        assertNext("2026-11-22T15:15", Cron.everyMinutes(15));
        assertNext("2026-11-22T16:00", Cron.hourly());
        assertNext("2026-11-22T15:10", Cron.hourly(10));
        assertNext("2026-11-22T18:00", Cron.everyHours(6));
        assertNext("2026-11-23T00:00", Cron.daily());
        assertNext("2026-11-22T22:00", Cron.daily(22));
        assertNext("2026-11-22T22:30", Cron.daily(22, 30));
        assertNext("2026-11-23T06:30", Cron.weekdays(6, 30));
        assertNext("2026-11-24T00:00", Cron.weekly(DayOfWeek.TUESDAY));
        assertNext("2026-11-22T22:00", Cron.weekly(DayOfWeek.SUNDAY, 22));
        assertNext("2026-11-22T22:05", Cron.weekly(DayOfWeek.SUNDAY, 22, 5));
        assertNext("2026-12-01T00:00", Cron.monthly());
        assertNext("2026-12-05T04:00", Cron.monthly(5, 4));
        assertNext("2026-12-31T04:10", Cron.monthly(31, 4, 10));
        assertNext("2026-11-30T23:00", Cron.lastDayOfMonth(23, 0));
        assertNext("2027-01-01T00:00", Cron.yearly());
        assertNext("2028-02-29T03:04", Cron.yearly(Month.FEBRUARY, 29, 3, 4));
    }

    @Test
    void what_is_out_of_range_or_uneven_is_refused() {
        refused(() -> Cron.daily(24), "The hour 24 is out of range: 0 to 23");
        refused(() -> Cron.hourly(60), "The minute 60 is out of range: 0 to 59");
        refused(() -> Cron.monthly(32, 0), "The day 32 is out of range: 1 to 31");
        refused(() -> Cron.yearly(Month.APRIL, 31, 0, 0), "The day of april 31 is out of range: 1 to 30");
        refused(() -> Cron.everyMinutes(7), "Use Schedule.every(Duration)");
        refused(() -> Cron.everyMinutes(60), "Use Schedule.every(Duration)");
        refused(() -> Cron.everyHours(0), "Use Schedule.every(Duration)");
    }

    private static void refused(Runnable call, String part) {
        String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
        assertTrue(message.contains(part), message);
    }
}
