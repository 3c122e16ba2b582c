package dev.treadle.enqueue;

import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.NotCapturableException;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.lifecycle.RecurringJob.Status;
import dev.treadle.schedule.Missed;
import dev.treadle.schedule.Recurring;
import dev.treadle.schedule.RecurringRules;
import dev.treadle.schedule.Schedule;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The recurring job of an annotated method.
 *
 * @param type     the class of the object to call
 * @param resolved what a text of the annotation stands for
 */
record RecurringMethod(Recurring recurring, Class<?> type, Method method, UnaryOperator<String> resolved) {
    /** Who pauses and resumes what is switched off and on, as people see it. */
    private static final String BY = "@Recurring";

    private static final Pattern SHORT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    /**
     * @param jobs    what it is declared with
     * @param onQueue the same, for jobs of a queue
     * @throws TreadleSetupException if it cannot be declared
     */
    void declare(RecurringJobs jobs, Function<String, RecurringJobs> onQueue) {
        if (method.getParameterCount() > 0) {
            throw new TreadleSetupException(
                    "The @Recurring method " + type.getName() + "." + method.getName() + " has parameters.",
                    "Nobody gives it arguments: let it have none, and read what it needs.",
                    null);
        }
        try {
            String id = text(recurring.id());
            if (isOff()) {
                switchOff(jobs, id);
                return;
            }
            String queue = text(recurring.queue());
            (queue.isEmpty() ? jobs : onQueue.apply(queue)).declare(id, schedule(), rules(), type, method.getName());
            switchOn(jobs, id);
        } catch (NotCapturableException | IllegalArgumentException | DateTimeException e) {
            throw new TreadleSetupException(
                    "The @Recurring method " + type.getName() + "." + method.getName() + "() cannot be declared: "
                            + e.getMessage(),
                    "Correct the annotation, or the property that its placeholder names.",
                    e);
        }
    }

    private boolean isOff() {
        String[] given = Stream.of(recurring.cron(), recurring.every(), recurring.delay())
                .map(this::text)
                .filter(one -> !one.isEmpty())
                .toArray(String[]::new);
        if (given.length != 1) {
            throw new IllegalArgumentException(
                    "Exactly one of cron, every and delay says when it recurs, and " + given.length + " are given.");
        }
        return given[0].equals(Recurring.OFF);
    }

    private Schedule schedule() {
        String cron = text(recurring.cron());
        String every = text(recurring.every());
        if (!cron.isEmpty()) {
            String zone = text(recurring.zone());
            return Schedule.cron(cron, zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone));
        }
        return every.isEmpty() ? Schedule.delay(duration(text(recurring.delay()))) : Schedule.every(duration(every));
    }

    private RecurringRules rules() {
        String jitter = text(recurring.jitter());
        return RecurringRules.DEFAULT
                .withMissed(Missed.parse(text(recurring.missed())))
                .withOverlap(recurring.overlap())
                .withJitter(jitter.isEmpty() ? Duration.ZERO : duration(jitter));
    }

    /** An earlier declaration may be stored, and would go on. */
    private static void switchOff(RecurringJobs jobs, String id) {
        if (jobs.find(id).isPresent()) {
            jobs.pause(id, BY, "its schedule is \"" + Recurring.OFF + "\"");
        }
    }

    /** Only what was switched off here: a pause by an operator stays. */
    private static void switchOn(RecurringJobs jobs, String id) {
        RecurringJob.Standing standing =
                jobs.find(id).map(RecurringJob::standing).orElse(null);
        if (standing != null && standing.status() == Status.PAUSED && Objects.equals(standing.by(), BY)) {
            jobs.resume(id, BY, "it has a schedule again");
        }
    }

    private String text(String annotated) {
        return resolved.apply(annotated).strip();
    }

    private static Duration duration(String text) {
        Matcher matcher = SHORT.matcher(text);
        if (!matcher.matches()) {
            try {
                return Duration.parse(text);
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(
                        "'" + text + "' is no duration. Write 500ms, 30s, 10m, 2h or 1d, or PT1H30M as in ISO 8601.",
                        e);
            }
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
