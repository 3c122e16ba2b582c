package dev.treadle.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression on the clocks of a zone. When clocks change:
 *
 * <ul>
 *   <li><b>Gap.</b> Times that the clocks skip run right after the change, all of them together once.
 *   <li><b>Overlap.</b> Times that the clocks show twice run once, the first time. An expression that repeats during
 *       the day, with {@code *}, a range or a step in its second, minute or hour, runs both times.
 * </ul>
 *
 * See {@link Schedule#cron(String, ZoneId)}. Immutable.
 */
final class CronSchedule implements Schedule {
    private final String expression;
    private final ZoneId zone;
    private final CronTimes times;

    private CronSchedule(String expression, ZoneId zone, CronTimes times) {
        this.expression = expression;
        this.zone = zone;
        this.times = times;
    }

    static CronSchedule of(String expression, ZoneId zone) {
        CronTimes times = CronParser.parse(expression);
        return new CronSchedule(expression.strip().replaceAll("\\s+", " "), zone, times);
    }

    /** The expression as it was given, with single blanks. */
    public String expression() {
        return expression;
    }

    /** The zone of the clocks. */
    public ZoneId zone() {
        return zone;
    }

    @Override
    public Optional<Instant> next(Instant after) {
        if (!after.isBefore(Spans.LAST)) {
            return Optional.empty();
        }
        ZoneRules rules = zone.getRules();
        Instant from = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        while (from.isBefore(Spans.LAST)) {
            ZoneOffsetTransition change = rules.nextTransition(from);
            Instant end = change == null || change.getInstant().isAfter(Spans.LAST) ? Spans.LAST : change.getInstant();
            Instant found = between(rules, from, end);
            if (found != null) {
                return Optional.of(found);
            }
            from = end;
        }
        return Optional.empty();
    }

    /** The first time in a period without a change of clocks, except perhaps at its beginning. */
    private @Nullable Instant between(ZoneRules rules, Instant from, Instant end) {
        ZoneOffset offset = rules.getOffset(from);
        LocalDateTime start = LocalDateTime.ofInstant(from, offset);
        ZoneOffsetTransition before = lastChange(rules, from);
        if (before != null && before.isGap() && before.getInstant().equals(from) && hasTimeIn(before)) {
            return from;
        }
        if (before != null && before.isOverlap() && !times.repeats() && start.isBefore(before.getDateTimeBefore())) {
            start = before.getDateTimeBefore();
        }
        LocalDateTime found = times.first(start, LocalDateTime.ofInstant(end, offset));
        return found == null ? null : found.toInstant(offset);
    }

    /** The latest change of clocks at or before an instant; null if there was none. */
    private static @Nullable ZoneOffsetTransition lastChange(ZoneRules rules, Instant at) {
        return rules.previousTransition(at.plusNanos(1));
    }

    /** Whether one of these times falls into a gap. */
    private boolean hasTimeIn(ZoneOffsetTransition gap) {
        return times.first(gap.getDateTimeBefore(), gap.getDateTimeAfter()) != null;
    }

    @Override
    public List<NextRun> preview(Instant after, int count) {
        List<NextRun> all = new ArrayList<>();
        Optional<Instant> next = next(after);
        for (int left = Spans.checkedCount(count); left > 0 && next.isPresent(); left--) {
            Instant at = next.get();
            all.add(new NextRun(at, at.atZone(zone), note(at)));
            next = next(at);
        }
        return all;
    }

    private @Nullable String note(Instant at) {
        ZoneRules rules = zone.getRules();
        ZoneOffset offset = rules.getOffset(at);
        LocalDateTime local = LocalDateTime.ofInstant(at, offset);
        ZoneOffsetTransition change = lastChange(rules, at);
        if (change != null && change.isGap() && change.getInstant().equals(at) && hasTimeIn(change)) {
            LocalDateTime skipped = times.first(change.getDateTimeBefore(), change.getDateTimeAfter());
            return "clocks leap from " + change.getDateTimeBefore().toLocalTime() + " to "
                    + change.getDateTimeAfter().toLocalTime() + ": "
                    + Objects.requireNonNull(skipped).toLocalTime() + " is not there and runs right after";
        }
        ZoneOffsetTransition overlap = rules.getTransition(local);
        if (overlap == null || !overlap.isOverlap()) {
            return null;
        }
        boolean first = offset.equals(overlap.getOffsetBefore());
        String once = times.repeats() ? "" : ", runs once";
        return "clocks go back from " + overlap.getDateTimeBefore().toLocalTime() + " to "
                + overlap.getDateTimeAfter().toLocalTime() + ": this time comes twice" + once + ", this is the "
                + (first ? "first" : "second");
    }

    @Override
    public String toText() {
        return "cron " + zone.getId() + " " + expression;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CronSchedule o && o.expression.equals(expression) && o.zone.equals(zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(expression, zone);
    }

    @Override
    public String toString() {
        return toText();
    }
}
