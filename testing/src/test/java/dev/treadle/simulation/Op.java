package dev.treadle.simulation;

/** The calls of the storage port. */
enum Op {
    INSERT,
    INSERT_LEASED,
    PROMOTE,
    OUTLOOK,
    CLAIM,
    LEASES_OF,
    RECORD,
    HEARTBEAT,
    LEAVE,
    ORPHANS,
    BURY,
    PARKED_TARGETS,
    UNPARK,
    CANCEL,
    RUN_AGAIN,
    STOP_REQUESTS,
    RUNS_ENDED,
    TELL,
    RETAIN,
    LANES,
    HEADS,
    PAUSE,
    RESUME,
    RECURRING_NOW,
    RECURRING_FIND,
    RECURRING_WRITE,
    RECURRING_DUE,
    RECURRING_ADVANCE
}
