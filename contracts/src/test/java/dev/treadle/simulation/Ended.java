package dev.treadle.simulation;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.storage.Ending;

/** How user code ended one run, and what alone may be written down about it. */
enum Ended {
    WELL,
    BADLY,
    FOR_GOOD,
    STOPPED,
    SNOOZING;

    boolean allows(Ending ending) {
        // a rescuer does not know how the run ended
        return ending.event() == Event.NODE_LOST
                || switch (this) {
                    case WELL -> ending instanceof Ending.Complete;
                    case BADLY -> ending.event() == Event.THREW;
                    case FOR_GOOD -> ending instanceof Ending.Fail;
                    case SNOOZING -> ending instanceof Ending.Snooze;
                    case STOPPED -> ending.event() == Event.STOPPED;
                };
    }
}
