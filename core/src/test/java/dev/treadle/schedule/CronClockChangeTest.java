package dev.treadle.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every kind of change of clocks in every zone, walked second by second; -Dtreadle.cron.seed chooses other expressions. */
class CronClockChangeTest {
    /** The same for every build, so that builds can be repeated. */
    private static final long SEED = Long.getLong("treadle.cron.seed", 20_260_101);

    private static final int CASES = Integer.getInteger("treadle.cron.changes", 1_500);
    private static final Instant FROM = Instant.parse("2015-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2037-12-31T00:00:00Z");
    private static final Duration BEFORE = Duration.ofHours(3);
    private static final Duration AFTER = Duration.ofHours(4);

    private final Random random = new Random(SEED);

    @Test
    void around_every_change_the_runs_are_those_of_a_walk_second_by_second() {
        List<Change> changes = changes();
        int runs = 0;
        for (int i = 0; i < CASES; i++) {
            Change change = changes.get(random.nextInt(changes.size()));
            String expression = expression(change);
            Schedule schedule = Schedule.cron(expression, change.zone);
            Brute brute = new Brute(expression, change.zone);
            Instant last = change.at.plus(AFTER);
            Instant at = change.at.minus(BEFORE).minusMillis(random.nextInt(2_000));
            for (int left = 40; left > 0; left--) {
                Optional<Instant> expected = brute.next(at, last);
                Optional<Instant> next = schedule.next(at).filter(found -> !found.isAfter(last));
                Instant asked = at;
                assertEquals(
                        expected,
                        next,
                        () -> "seed " + SEED + ": '" + expression + "' in " + change.zone + " after " + asked
                                + ", clocks change at " + change.at);
                if (next.isEmpty()) {
                    break;
                }
                at = next.get();
                runs++;
            }
        }
        System.out.println("clock changes: seed " + SEED + ", " + CASES + " of " + changes.size() + " changes in "
                + ZoneId.getAvailableZoneIds().size() + " zones, " + runs + " runs compared");
    }

    private record Change(ZoneId zone, Instant at) {}

    private static List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (String id : ZoneId.getAvailableZoneIds().stream().sorted().toList()) {
            ZoneId zone = ZoneId.of(id);
            Instant at = FROM;
            for (ZoneOffsetTransition next; (next = zone.getRules().nextTransition(at)) != null; ) {
                at = next.getInstant();
                if (at.isAfter(TO)) {
                    break;
                }
                changes.add(new Change(zone, at));
            }
        }
        return changes;
    }

    /** One whose runs are near to the change, with single times, lists, ranges, steps and days. */
    private String expression(Change change) {
        int hour = change.at.atZone(change.zone).minusHours(random.nextInt(4)).getHour();
        String hours = pick(
                "*", "*/2", String.valueOf(hour), hour + "," + (hour + 2) % 24, hour + "-" + (hour + 3) % 24, "0-23");
        String minutes = pick("*/10", "*/7", "0", "30", "15,45", "0-59/20", "5/25", String.valueOf(random.nextInt(60)));
        String seconds = pick("0", "0", "0", "*/30", "17", "5-7");
        String days = pick("*", "*", "*", "?", "L", "LW", "1-31/2");
        String weekdays = pick("*", "*", "?", "SUN", "0", "7", "FRI-SUN", "SAT-MON", "SUN#2", "0L", "7L", "*/2");
        return seconds + " " + minutes + " " + hours + " " + days + " " + pick("*", "*", "1-12", "MAR,OCT,NOV,APR,SEP")
                + " " + weekdays;
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
