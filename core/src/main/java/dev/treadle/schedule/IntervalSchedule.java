package dev.treadle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * See {@link Schedule#every(Duration, Instant)}.
 *
 * @param interval from one time to the next
 * @param from     the first time
 */
record IntervalSchedule(Duration interval, Instant from) implements Schedule {

    /**
     * @throws IllegalArgumentException if the interval is out of range, or one of the two is not in whole milliseconds
     */
    public IntervalSchedule {
        Spans.checked("interval", interval);
        if (!Instant.ofEpochMilli(from.toEpochMilli()).equals(from)) {
            throw new IllegalArgumentException(
                    "The first time of a schedule is " + from + " and must be in whole milliseconds.");
        }
    }

    @Override
    public Optional<Instant> next(Instant after) {
        if (after.isBefore(from)) {
            return Optional.of(from);
        }
        if (after.isAfter(Spans.LAST)) {
            return Optional.empty();
        }
        long passed = (after.toEpochMilli() - from.toEpochMilli()) / interval.toMillis();
        return Optional.of(from.plus(interval.multipliedBy(passed + 1)));
    }

    @Override
    public List<NextRun> preview(Instant after, int count) {
        List<NextRun> all = new ArrayList<>();
        Optional<Instant> next = next(after);
        for (int left = Spans.checkedCount(count); left > 0 && next.isPresent(); left--) {
            all.add(new NextRun(next.get(), next.get().atZone(ZoneOffset.UTC), null));
            next = next(next.get());
        }
        return all;
    }

    @Override
    public String toText() {
        return "every " + interval + (from.equals(Instant.EPOCH) ? "" : " from " + from);
    }

    @Override
    public String toString() {
        return toText();
    }
}
