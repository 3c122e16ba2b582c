package dev.treadle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of a schedule that run now, and the first one after them.
 *
 * @param run  oldest first; at most {@value #SLOTS_MAX}
 * @param next null if there are no more; not in the future if more times are due than fit
 */
public record Slots(List<Instant> run, @Nullable Instant next) {
    /** Most times run at once for one recurring job; more follow at the next look. */
    public static final int SLOTS_MAX = 100;

    /** Copies the list. */
    public Slots {
        run = List.copyOf(run);
    }

    /**
     * Computes them.
     *
     * @param first the first time that has not been handled
     * @param now   what time it is
     * @param until slots up to this time run; not before {@code now}
     */
    public static Slots due(Schedule schedule, Instant first, Instant now, Instant until, RecurringRules rules) {
        Instant onTime = now.minus(rules.missedAfter());
        List<Instant> run = new ArrayList<>();
        Instant slot = first.isBefore(onTime) ? afterMissed(schedule, first, onTime, rules.missed(), until) : first;
        while (slot != null && !slot.isAfter(until) && run.size() < SLOTS_MAX) {
            run.add(slot);
            slot = schedule.next(slot).orElse(null);
        }
        return new Slots(run, slot);
    }

    /** The first time to run if some were missed. */
    private static @Nullable Instant afterMissed(
            Schedule schedule, Instant first, Instant onTime, Missed missed, Instant until) {
        Instant punctual = schedule.next(onTime.minusNanos(1)).orElse(null);
        boolean isPunctualDue = punctual != null && !punctual.isAfter(until);
        if (missed.most() == 0 || missed.once() && isPunctualDue) {
            return punctual;
        }
        return newest(schedule, first, onTime, missed.most());
    }

    /** The oldest of the newest so many times before an instant; looks back over ever longer stretches. */
    private static Instant newest(Schedule schedule, Instant first, Instant before, int most) {
        for (Duration back = Duration.ofSeconds(most); ; back = back.multipliedBy(2)) {
            boolean all = !before.minus(back).isAfter(first);
            Instant from = all ? first : before.minus(back);
            List<Instant> found = new ArrayList<>();
            Instant slot = all ? first : schedule.next(from.minusNanos(1)).orElse(before);
            while (slot.isBefore(before)) {
                found.add(slot);
                slot = schedule.next(slot).orElse(before);
            }
            if (all || found.size() >= most) {
                return found.get(Math.max(0, found.size() - most));
            }
        }
    }
}
