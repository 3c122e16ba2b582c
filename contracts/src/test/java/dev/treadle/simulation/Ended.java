package dev.treadle.simulation;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;

/** How user code ended one run, and what alone may be written down about it. */
enum Ended {
    WELL,
    BADLY,
    FOR_GOOD,
    STOPPED,
    SNOOZING,
    /** Its code was told that it waits at a gate, whatever it did then. */
    SUSPENDED,
    /** Its code was told that it sleeps, whatever it did then. */
    ASLEEP;

    boolean allows(Transition ending) {
        // a rescuer does not know how the run ended
        return ending.event() == Event.NODE_LOST
                || switch (this) {
                    case WELL -> ending.trigger() == Trigger.SUCCEED;
                    case BADLY -> ending.event() == Event.THREW;
                    case FOR_GOOD -> ending.trigger() == Trigger.FAIL;
                    case SNOOZING, ASLEEP -> ending.trigger() == Trigger.SNOOZE;
                    case SUSPENDED -> ending.trigger() == Trigger.SUSPEND;
                    case STOPPED -> ending.event() == Event.STOPPED;
                };
    }
}
