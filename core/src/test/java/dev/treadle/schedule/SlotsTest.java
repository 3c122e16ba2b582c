package dev.treadle.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private static final Instant START = Instant.parse("2026-03-04T00:00:00Z");
    private static final Schedule HOURLY = Schedule.every(Duration.ofHours(1));
    private static final Schedule SECONDLY = Schedule.every(Duration.ofSeconds(1));

    @Test
    void what_is_a_little_late_runs_whatever_the_policy() {
        for (Missed missed : List.of(Missed.SKIP, Missed.ONCE, Missed.all(3))) {
            RecurringRules rules = RecurringRules.DEFAULT.withMissed(missed);

            assertEquals(new Slots(List.of(START), hour(1)), due(HOURLY, START, START.plusSeconds(60), rules));
            assertEquals(
                    seconds(0, 10),
                    due(SECONDLY, START, START.plusMillis(9_500), rules).run());
        }
    }

    @Test
    void missed_runs_are_skipped() {
        assertEquals(new Slots(List.of(), hour(6)), due(Missed.SKIP, hour(5).plusSeconds(61)));
        assertEquals(new Slots(List.of(hour(5)), hour(6)), due(Missed.SKIP, hour(5).plusSeconds(59)));
    }

    @Test
    void missed_runs_are_made_up_for_once_by_the_newest_or_by_the_one_that_is_due_now() {
        assertEquals(new Slots(List.of(hour(5)), hour(6)), due(Missed.ONCE, hour(5).plusSeconds(61)));
        assertEquals(new Slots(List.of(hour(5)), hour(6)), due(Missed.ONCE, hour(5).plusSeconds(1)));
        assertEquals(new Slots(List.of(hour(0)), hour(1)), due(Missed.ONCE, hour(0).plusSeconds(61)));
    }

    @Test
    void all_missed_runs_are_made_up_for_up_to_a_limit_the_newest_of_them() {
        Instant now = hour(5).plusSeconds(1_000);

        assertEquals(
                IntStream.rangeClosed(0, 5).mapToObj(SlotsTest::hour).toList(),
                due(Missed.all(6), now).run());
        assertEquals(
                IntStream.rangeClosed(0, 5).mapToObj(SlotsTest::hour).toList(),
                due(Missed.all(100), now).run());
        assertEquals(List.of(hour(4), hour(5)), due(Missed.all(2), now).run());
        assertEquals(
                List.of(hour(3), hour(4), hour(5)),
                due(Missed.all(2), hour(5).plusSeconds(1)).run(),
                "beside those that are due now");
    }

    @Test
    void more_than_fit_at_once_follow_until_each_has_run_once() {
        RecurringRules rules = RecurringRules.DEFAULT.withMissed(Missed.all(1_000));
        Instant now = START.plusSeconds(250);
        List<Instant> all = new ArrayList<>();

        Instant first = START;
        int looks = 0;
        while (!first.isAfter(now)) {
            Slots due = due(SECONDLY, first, now, rules);
            all.addAll(due.run());
            first = due.next();
            looks++;
        }

        assertEquals(seconds(0, 251), all);
        assertEquals(3, looks);
    }

    @Test
    void years_of_missed_seconds_cost_no_more_than_those_that_run() {
        RecurringRules rules = RecurringRules.DEFAULT.withMissed(Missed.all(50));
        Instant now = START.plus(Duration.ofDays(200_000));

        // minutes, if each second were looked at
        Slots due = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> due(SECONDLY, START, now, rules));

        assertEquals(100, due.run().size());
        assertEquals(now.minusSeconds(60 + 50), due.run().get(0));
    }

    @Test
    void slots_a_little_ahead_may_be_run_with_those_that_are_due() {
        Instant until = START.plusMillis(2_500);

        assertEquals(
                new Slots(seconds(0, 3), START.plusSeconds(3)),
                Slots.due(SECONDLY, START, START.plusMillis(1_500), until, RecurringRules.DEFAULT));
    }

    private static Slots due(Schedule schedule, Instant first, Instant now, RecurringRules rules) {
        return Slots.due(schedule, first, now, now, rules);
    }

    private static Slots due(Missed missed, Instant now) {
        return due(HOURLY, START, now, RecurringRules.DEFAULT.withMissed(missed));
    }

    private static Instant hour(int hours) {
        return START.plus(Duration.ofHours(hours));
    }

    private static List<Instant> seconds(int from, int to) {
        return IntStream.range(from, to).mapToObj(START::plusSeconds).toList();
    }
}
