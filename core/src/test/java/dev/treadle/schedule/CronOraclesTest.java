package dev.treadle.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.ParseException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Date;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tens of thousands of random expressions, zones and instants, each read by Spring and by Quartz too. Every difference has to
 * be one of those that are explained here; -Dtreadle.cron.seed and -Dtreadle.cron.cases choose others.
 */
class CronOraclesTest {
    /** The same for every build, so that builds can be repeated. */
    private static final long SEED = Long.getLong("treadle.cron.seed", 20_260_101);

    private static final int CASES = Integer.getInteger("treadle.cron.cases", 30_000);
    private static final Instant FROM = Instant.parse("2015-01-01T00:00:00Z");
    private static final long SPAN_SECONDS = Duration.ofDays(22 * 365).toSeconds();
    /** How near to a change of clocks an answer must be for that to explain it. */
    private static final Duration NEAR = Duration.ofHours(30);

    /** How far a second-by-second walk goes to see who is right. */
    private static final Duration WALK_MAX = Duration.ofDays(3);

    private final Random random = new Random(SEED);

    /** Why another library may say something else. */
    private enum Why {
        /** Their policy is another one; ours is walked second by second, here and in {@link CronClockChangeTest}. */
        CLOCKS_CHANGE,
        /**
         * "29W" to "31W" in a month that has no such day or ends with a Sunday: Spring takes the Friday before a 30th as near to
         * a 31st that is not there and goes on to Monday in the next month, Quartz takes the month's last day. For us a day that
         * is not there has no weekday near it, and the weekday stays in its month.
         */
        WEEKDAY_NEAR_THE_END_OF_THE_MONTH,
        /**
         * When Quartz moves on to a day given with W, it keeps the time of day it came from and so skips the runs of that
         * day before it.
         */
        SKIPS_THE_START_OF_A_WEEKDAY,
        /** Asked on a weekend, or on the Monday to which it is moved, both may not know that Monday any more. */
        ASKED_ON_A_MOVED_DAY,
        /** Quartz cannot be asked: it takes no second list beside a special day and no two days at once. */
        CANNOT_BE_WRITTEN,
        /** Such a day never comes and we refuse it; Spring and Quartz answer that there is no next time. */
        NEVER,
        /** They give up looking before the day comes. */
        GIVES_UP
    }

    private final Map<Why, Integer> spring = new EnumMap<>(Why.class);
    private final Map<Why, Integer> quartz = new EnumMap<>(Why.class);

    @Test
    void spring_and_quartz_say_the_same_but_for_what_is_explained() {
        List<ZoneId> zones = Stream.concat(
                        Stream.of("UTC", "Asia/Tokyo", "+05:30"),
                        Stream.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo"))
                .map(ZoneId::of)
                .toList();
        List<String> different = new ArrayList<>();
        int same = 0;
        for (int i = 0; i < CASES; i++) {
            RandomCron cron = RandomCron.of(random);
            ZoneId zone = zones.get(random.nextInt(zones.size()));
            Instant after = FROM.plusSeconds((long) (random.nextDouble() * SPAN_SECONDS));
            Optional<Instant> ours;
            try {
                ours = Schedule.cron(cron.ours(), zone).next(after);
            } catch (IllegalArgumentException e) {
                assertTrue(e.getMessage().contains("no such day in any year"), e.getMessage());
                count(spring, Why.NEVER);
                assertEquals(Optional.empty(), springs(cron, ZoneOffset.UTC, after), e::getMessage);
                continue;
            }
            same += compare(spring, "Spring", cron, zone, after, ours, springs(cron, zone, after), different);
            same += compare(quartz, "Quartz", cron, zone, after, ours, quartzs(cron, zone, after), different);
        }
        System.out.println("cron: seed " + SEED + ", " + CASES + " cases, " + same
                + " answers the same; explained: Spring " + spring + ", Quartz " + quartz);
        assertEquals(List.of(), different.subList(0, Math.min(20, different.size())), "seed " + SEED);
        assertTrue(same > CASES * 1.6, "most must be the same, not explained away");
    }

    private int compare(
            Map<Why, Integer> explained,
            String who,
            RandomCron cron,
            ZoneId zone,
            Instant after,
            Optional<Instant> ours,
            Optional<Instant> theirs,
            List<String> different) {
        if (theirs == null) {
            count(explained, Why.CANNOT_BE_WRITTEN);
            return 0;
        }
        if (theirs.equals(ours)) {
            return 1;
        }
        Why why = why(who, cron, zone, after, ours, theirs);
        if (why == null) {
            different.add(
                    who + ": " + cron + " in " + zone + " after " + after + ": ours " + ours + ", theirs " + theirs);
        } else {
            count(explained, why);
        }
        Instant found = ours.orElseThrow();
        if (why == Why.CLOCKS_CHANGE && Duration.between(after, found).compareTo(WALK_MAX) < 0) {
            assertEquals(
                    ours,
                    new Brute(cron.ours(), zone).next(after, found),
                    () -> cron + " in " + zone + " after " + after);
        }
        return 0;
    }

    private static Why why(
            String who, RandomCron cron, ZoneId zone, Instant after, Optional<Instant> ours, Optional<Instant> theirs) {
        if (cron.days().matches("(29|30|31|28)W")) {
            return Why.WEEKDAY_NEAR_THE_END_OF_THE_MONTH;
        }
        boolean nearOurs = isNearAChange(zone, after, ours);
        if (nearOurs || isNearAChange(zone, after, theirs)) {
            return Why.CLOCKS_CHANGE;
        }
        if (cron.days().contains("W") && theirs.orElseThrow().isAfter(ours.orElseThrow())) {
            LocalDateTime asked = LocalDateTime.ofInstant(after, zone);
            LocalDateTime found = LocalDateTime.ofInstant(ours.get(), zone);
            if (found.getDayOfWeek() == DayOfWeek.MONDAY
                    && Duration.between(asked, found).toHours() < 72
                    && !cron.days().equals(found.getDayOfMonth() + "W")) {
                return Why.ASKED_ON_A_MOVED_DAY;
            }
            if (who.equals("Quartz") && asked.toLocalTime().isAfter(found.toLocalTime())) {
                return Why.SKIPS_THE_START_OF_A_WEEKDAY;
            }
        }
        return theirs.isEmpty() && ours.orElseThrow().isAfter(after.plus(Duration.ofDays(4 * 365)))
                ? Why.GIVES_UP
                : null;
    }

    /** Whether clocks change between the question and an answer, and near to that answer. */
    private static boolean isNearAChange(ZoneId zone, Instant after, Optional<Instant> answer) {
        if (answer.isEmpty()) {
            return false;
        }
        ZoneOffsetTransition change =
                zone.getRules().nextTransition(answer.get().minus(NEAR));
        ZoneOffsetTransition before = zone.getRules().nextTransition(after.minus(NEAR));
        return change != null && change.getInstant().isBefore(answer.get().plus(NEAR))
                || before != null && before.getInstant().isBefore(after.plus(NEAR));
    }

    private static void count(Map<Why, Integer> explained, Why why) {
        explained.merge(why, 1, Integer::sum);
    }

    /** What is either in the one or in the other field is asked for twice, and the earlier answer counts. */
    private static Optional<Instant> springs(RandomCron cron, ZoneId zone, Instant after) {
        if (cron.isEither()) {
            return earlier(
                    spring(cron.clock() + " " + cron.days() + " " + cron.month() + " *", zone, after),
                    spring(cron.clock() + " * " + cron.month() + " " + cron.springDays(), zone, after));
        }
        return spring(cron.clock() + " " + cron.days() + " " + cron.month() + " " + cron.springDays(), zone, after);
    }

    private static Optional<Instant> spring(String expression, ZoneId zone, Instant after) {
        var next = org.springframework.scheduling.support.CronExpression.parse(expression)
                .next(after.atZone(zone));
        return Optional.ofNullable(next).map(java.time.ZonedDateTime::toInstant);
    }

    /** Null if it cannot be written for Quartz. */
    private static Optional<Instant> quartzs(RandomCron cron, ZoneId zone, Instant after) {
        String anyDay = cron.clock() + " ? " + cron.month() + " " + cron.quartzDays();
        String anyWeekday = cron.clock() + " " + cron.days() + " " + cron.month() + " ?";
        if (cron.isEither()) {
            return earlier(quartz(anyDay, zone, after), quartz(anyWeekday, zone, after));
        }
        if (cron.days().equals("*")) {
            return quartz(anyDay, zone, after);
        }
        return cron.weekdays().equals("*") ? quartz(anyWeekday, zone, after) : null;
    }

    private static Optional<Instant> quartz(String expression, ZoneId zone, Instant after) {
        try {
            org.quartz.CronExpression cron = new org.quartz.CronExpression(expression);
            cron.setTimeZone(TimeZone.getTimeZone(zone));
            Date next = cron.getNextValidTimeAfter(Date.from(after));
            return Optional.ofNullable(next).map(Date::toInstant);
        } catch (ParseException e) {
            throw new AssertionError(expression, e);
        }
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Instant::compareTo);
    }
}
