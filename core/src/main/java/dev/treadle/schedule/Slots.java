package dev.treadle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of a schedule that are to be run now, and the first that is not dealt with by that.
 *
 * @param run  oldest first; at most {@value #SLOTS_MAX}
 * @param next null if there is none any more; not in the future if there is more to run than fits
 */
public record Slots(List<Instant> run, @Nullable Instant next) {
    /** Most times run at once for one recurring job; more follow at the next look. */
    public static final int SLOTS_MAX = 100;

    /** Copies the list. */
    public Slots {
        run = List.copyOf(run);
    }

    /**
     * Works them out.
     *
     * @param first the first time that has not been dealt with
     * @param now   what time it is
     */
    public static Slots due(Schedule schedule, Instant first, Instant now, RecurringRules rules) {
        Instant onTime = now.minus(rules.missedAfter());
        List<Instant> run = new ArrayList<>();
        Instant slot = first.isBefore(onTime) ? afterMissed(schedule, first, onTime, rules.missed(), now) : first;
        while (slot != null && !slot.isAfter(now) && run.size() < SLOTS_MAX) {
            run.add(slot);
            slot = schedule.next(slot).orElse(null);
        }
        return new Slots(run, slot);
    }

    /** The first time to run when some were missed. */
    private static @Nullable Instant afterMissed(
            Schedule schedule, Instant first, Instant onTime, Missed missed, Instant now) {
        Instant punctual = schedule.next(onTime.minusNanos(1)).orElse(null);
        boolean isPunctualDue = punctual != null && !punctual.isAfter(now);
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
