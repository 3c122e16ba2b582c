package dev.treadle.engine;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a server does again and again, each on a thread of its own, in the order in which they start. */
enum Chore {
    RECORD,
    DISPATCH,
    HEARTBEAT,
    /** The endings of jobs with keys, which may have to wait for the row of a key. */
    RECORD_KEYED,
    PROMOTE,
    RECUR,
    RESCUE,
    UNPARK,
    RETENTION,
    DEADLINES,
    STOPS,
    NOTES,
    TIDY,
    LOOK,
    /** Looks after all other loops. */
    WATCHDOG,
    /** Only where something guards the heap. */
    HEAP;

    /** What running jobs need until the last of them is written down. */
    static final Set<Chore> FOR_RUNNING = Set.of(DEADLINES, STOPS, NOTES, RECORD, RECORD_KEYED);
    /** What ends first when a server is closed: all but those and the heartbeat, which ends last. */
    static final Set<Chore> FOR_CLAIMING = forClaiming();

    private static Set<Chore> forClaiming() {
        Set<Chore> chores = EnumSet.allOf(Chore.class);
        chores.removeAll(FOR_RUNNING);
        chores.remove(HEARTBEAT);
        return Collections.unmodifiableSet(chores);
    }

    /** Whether its first turn is at once; all others wait until what waits in the storage has begun. */
    boolean isUrgent() {
        return this == RECORD || this == DISPATCH || this == HEAP;
    }

    /** Whether its first turn may come seconds after the start. */
    boolean isHousekeeping() {
        return this == RETENTION || this == TIDY || this == UNPARK;
    }

    String threadName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
