package dev.treadle.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** Schedules as one line of text: {@code cron Europe/Berlin 0 2 * * *}, {@code every PT10M}, {@code delay PT5M}. */
final class ScheduleText {
    private ScheduleText() {}

    static Schedule parse(String text) {
        String[] word = text.split(" ", 3);
        try {
            if (word.length == 3 && word[0].equals("cron")) {
                return CronSchedule.of(word[2], ZoneId.of(word[1]));
            }
            if (word.length == 2 && word[0].equals("every")) {
                return Schedule.every(Duration.parse(word[1]));
            }
            if (word.length == 3 && word[0].equals("every") && word[2].startsWith("from ")) {
                return Schedule.every(Duration.parse(word[1]), Instant.parse(word[2].substring("from ".length())));
            }
            if (word.length == 2 && word[0].equals("delay")) {
                return Schedule.delay(Duration.parse(word[1]));
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("Not a schedule: '" + text + "': " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("Not a schedule: '" + text
                + "'. One is written like 'cron Europe/Berlin 0 2 * * *', 'every PT10M',"
                + " 'every PT10M from 2026-01-01T00:00:00Z' or 'delay PT5M'.");
    }
}
