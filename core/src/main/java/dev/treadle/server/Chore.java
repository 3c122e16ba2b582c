package dev.treadle.server;

import java.util.Locale;

/** What a server does again and again, each on a thread of its own, in the order in which they start. */
enum Chore {
    RECORD,
    DISPATCH,
    HEARTBEAT,
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
    /** Only where something guards the heap. */
    HEAP;

    /** Whether its first turn is at once; all others wait until what waits in the storage has begun. */
    boolean isUrgent() {
        return this == RECORD || this == DISPATCH || this == HEAP;
    }

    String threadName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
