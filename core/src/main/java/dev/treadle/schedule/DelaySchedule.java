package dev.treadle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * See {@link Schedule#delay(Duration)}.
 *
 * @param delay from the end of one run to the next
 */
record DelaySchedule(Duration delay) implements Schedule {

    /** @throws IllegalArgumentException if the delay is out of range or not in whole milliseconds */
    public DelaySchedule {
        Spans.checked("delay", delay);
    }

    @Override
    public Optional<Instant> next(Instant after) {
        return after.isAfter(Spans.LAST) ? Optional.empty() : Optional.of(after.plus(delay));
    }

    /** Only the first time is known in advance. */
    @Override
    public boolean followsRuns() {
        return true;
    }

    @Override
    public List<NextRun> preview(Instant after, int count) {
        Spans.checkedCount(count);
        return next(after).stream()
                .map(at -> new NextRun(at, at.atZone(ZoneOffset.UTC), "then " + delay + " after each run has ended"))
                .toList();
    }

    @Override
    public String toText() {
        return "delay " + delay;
    }

    @Override
    public String toString() {
        return toText();
    }
}
