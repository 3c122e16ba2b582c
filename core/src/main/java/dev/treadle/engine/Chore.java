package dev.treadle.engine;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The chores of a server, in the order in which they start. Each has a thread of its own. */
enum Chore {
    RECORD,
    DISPATCH,
    HEARTBEAT,
    /** The endings of jobs with keys, which may have to wait for the row of a key. */
    RECORD_KEYED,
    PROMOTE,
    RECUR,
    GATES,
    RESCUE,
    UNPARK,
    RETENTION,
    DEADLINES,
    STOPS,
    NOTES,
    TIDY,
    LOOK,
    /** Checks all other loops. */
    WATCHDOG,
    /** Only on nodes with a heap guard. */
    HEAP;

    /** The chores that running jobs need until the last ending is recorded. */
    static final Set<Chore> FOR_RUNNING = Set.of(DEADLINES, STOPS, NOTES, RECORD, RECORD_KEYED);
    /** The chores that end first when a server closes: all but those above and the heartbeat, which ends last. */
    static final Set<Chore> FOR_CLAIMING = forClaiming();

    /**
     * How long chores other than claiming, running and recording rest before their first turn, so that waiting jobs start
     * first.
     */
    private static final Duration CHORES_AFTER = Duration.ofMillis(300);

    /** The first rest of housekeeping chores: their classes, statements and connections would slow down the first jobs. */
    private static final Duration HOUSEKEEPING_AFTER = Duration.ofSeconds(2);

    private static Set<Chore> forClaiming() {
        Set<Chore> chores = EnumSet.allOf(Chore.class);
        chores.removeAll(FOR_RUNNING);
        chores.remove(HEARTBEAT);
        return Collections.unmodifiableSet(chores);
    }

    /** Whether its first turn is at once; all others wait until the first jobs have had time to start. */
    boolean isUrgent() {
        return this == RECORD || this == DISPATCH || this == HEAP;
    }

    /** Whether its first turn may come seconds after the start. */
    private boolean isHousekeeping() {
        return this == RETENTION || this == TIDY || this == UNPARK;
    }

    /** How long it rests before its first turn. */
    Duration restBefore() {
        return isUrgent() ? Duration.ZERO : isHousekeeping() ? HOUSEKEEPING_AFTER : CHORES_AFTER;
    }

    String threadName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
