package dev.treadle.lifecycle;

import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import org.jspecify.annotations.Nullable;

/** Whether a job holds a slot of its key: leave to be in the queue or to run. */
public enum Slot {
    /** It has no key. */
    NOT_NEEDED,
    /** It holds one. */
    HELD,
    /** It holds none: if it is Enqueued it waits for one. */
    LACKING;

    /** The slot of a job that is new, or has ended. */
    public static Slot none(@Nullable KeyRule rule) {
        return rule == null ? NOT_NEEDED : LACKING;
    }

    /**
     * What becomes of the slot when the job comes into a state.
     *
     * @param next null if the job is kept no longer
     */
    Slot in(@Nullable StateName next, @Nullable KeyRule rule) {
        if (rule == null || this == NOT_NEEDED || next == null) {
            return none(rule);
        }
        return switch (next) {
            case ENQUEUED, PROCESSING -> this;
            case SCHEDULED, PARKED, WAITING -> rule.isHeldThroughout() ? this : LACKING;
            case SUCCEEDED, FAILED, CANCELLED -> LACKING;
        };
    }
}
