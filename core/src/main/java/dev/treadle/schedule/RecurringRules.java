package dev.treadle.schedule;

import java.time.Duration;

/**
 * What happens to runs that cannot follow the schedule. Immutable.
 *
 * @param missed      what happens to runs that were missed
 * @param missedAfter how late a run may be before it counts as missed, 1 s to 1 day
 * @param overlap     what happens when the previous run has not ended; a fixed delay never overlaps
 * @param jitter      each run starts up to this much later, a different time for each, so that not all start at once;
 *                    0 to 1 day
 */
public record RecurringRules(Missed missed, Duration missedAfter, Overlap overlap, Duration jitter) {
    private static final Duration DAY = Duration.ofDays(1);

    /**
     * The default: one run makes up for those missed by more than a minute, runs may overlap, and there is no jitter.
     */
    public static final RecurringRules DEFAULT =
            new RecurringRules(Missed.ONCE, Duration.ofMinutes(1), Overlap.ALLOW, Duration.ZERO);

    /** @throws IllegalArgumentException naming what is out of range and its range */
    public RecurringRules {
        check("missedAfter", missedAfter, Duration.ofSeconds(1));
        check("jitter", jitter, Duration.ZERO);
    }

    /** The same with another policy for missed runs. */
    public RecurringRules withMissed(Missed missed) {
        return new RecurringRules(missed, missedAfter, overlap, jitter);
    }

    /** The same with another lateness after which a run counts as missed. */
    public RecurringRules withMissedAfter(Duration missedAfter) {
        return new RecurringRules(missed, missedAfter, overlap, jitter);
    }

    /** The same with another policy for runs that would overlap. */
    public RecurringRules withOverlap(Overlap overlap) {
        return new RecurringRules(missed, missedAfter, overlap, jitter);
    }

    /** The same with another jitter. */
    public RecurringRules withJitter(Duration jitter) {
        return new RecurringRules(missed, missedAfter, overlap, jitter);
    }

    private static void check(String rule, Duration value, Duration min) {
        if (value.compareTo(min) < 0 || value.compareTo(DAY) > 0) {
            throw new IllegalArgumentException(
                    "RecurringRules." + rule + " is " + value + " and must be " + min + " to " + DAY + ".");
        }
    }
}
