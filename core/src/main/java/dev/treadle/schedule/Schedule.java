package dev.treadle.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * When something recurs. Immutable; one that can be built is valid and has a next time.
 *
 * <pre>{@code
 * Schedule.cron("0 2 * * *", ZoneId.of("Europe/Berlin"));  // 5 fields, or 6 with seconds first, or @daily …
 * Schedule.every(Duration.ofMinutes(10));                  // at 00:00, 00:10, 00:20 … UTC, however long a run takes
 * Schedule.delay(Duration.ofMinutes(10));                  // ten minutes after the previous run has ended
 * }</pre>
 */
public sealed interface Schedule permits CronSchedule, IntervalSchedule, DelaySchedule {
    /** Most times that one preview returns. */
    int PREVIEW_MAX = Spans.PREVIEW_MAX;

    /**
     * The first time after an instant. For a fixed delay, the time if the previous run ended at that instant.
     *
     * @return empty if there is none before the year 10000
     */
    Optional<Instant> next(Instant after);

    /**
     * The next times for people to read, with a note on each time that a change of clocks moves.
     *
     * @param count 1 to {@value #PREVIEW_MAX}
     */
    List<NextRun> preview(Instant after, int count);

    /** Whether a time depends on when the previous run ended, as with {@link #delay}. */
    default boolean followsRuns() {
        return false;
    }

    /** One line of text that {@link #parse} reads back. */
    String toText();

    /**
     * By a cron expression on the clocks of a zone.
     *
     * @throws IllegalArgumentException naming the field that is wrong and why
     */
    static Schedule cron(String expression, ZoneId zone) {
        return CronSchedule.of(expression, zone);
    }

    /** By a cron expression in UTC. */
    static Schedule cron(String expression) {
        return cron(expression, ZoneOffset.UTC);
    }

    /**
     * At fixed intervals counted from 1970-01-01T00:00Z, so a restart does not change the times.
     *
     * @param interval 100 ms to 3,650 days, in whole milliseconds
     */
    static Schedule every(Duration interval) {
        return every(interval, Instant.EPOCH);
    }

    /**
     * At fixed intervals counted from an instant, which is the first time.
     *
     * @param interval 100 ms to 3,650 days, in whole milliseconds
     * @param from     in whole milliseconds
     */
    static Schedule every(Duration interval, Instant from) {
        return new IntervalSchedule(interval, from);
    }

    /**
     * This long after the previous run has ended, its retries included; the first time this long after the declaration.
     *
     * @param delay 100 ms to 3,650 days, in whole milliseconds
     */
    static Schedule delay(Duration delay) {
        return new DelaySchedule(delay);
    }

    /**
     * Reads what {@link #toText} wrote: {@code cron Europe/Berlin 0 2 * * *}, {@code every PT10M}, {@code delay PT5M}.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    static Schedule parse(String text) {
        String[] word = text.split(" ", 3);
        try {
            if (word.length == 3 && word[0].equals("cron")) {
                return CronSchedule.of(word[2], ZoneId.of(word[1]));
            }
            if (word.length == 2 && word[0].equals("every")) {
                return every(Duration.parse(word[1]));
            }
            if (word.length == 3 && word[0].equals("every") && word[2].startsWith("from ")) {
                return every(Duration.parse(word[1]), Instant.parse(word[2].substring("from ".length())));
            }
            if (word.length == 2 && word[0].equals("delay")) {
                return delay(Duration.parse(word[1]));
            }
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("Not a schedule: '" + text + "': " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("Not a schedule: '" + text
                + "'. One is written like 'cron Europe/Berlin 0 2 * * *', 'every PT10M',"
                + " 'every PT10M from 2026-01-01T00:00:00Z' or 'delay PT5M'.");
    }
}
