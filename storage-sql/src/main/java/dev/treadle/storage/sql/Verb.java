package dev.treadle.storage.sql;

import java.util.Locale;

/** Every statement that Treadle sends while jobs run; each is a file of that name. */
enum Verb {
    INSERT,
    INSERT_LATER,
    INSERT_LEASED,
    PROMOTE,
    NEXT_DUE,
    CLAIM,
    LEASES_OF,
    COMPLETE,
    RETRY,
    FAIL,
    PARK,
    GIVE_BACK,
    RECORDED,
    HEARTBEAT,
    LEAVE,
    ORPHANS,
    BURY,
    PARKED_TARGETS,
    UNPARK,
    LOCK_BODY,
    LEAVE_DEFERRED,
    LEAVE_READY,
    LEAVE_LEASE,
    LEAVE_PARKED,
    MOVE,
    READY_AGAIN,
    STORY,
    STATES,
    COUNTS,
    TALLY,
    FOLD_TALLY,
    // what a dashboard asks
    LIST_ALL,
    LIST_SCHEDULED,
    LIST_ENQUEUED,
    LIST_PROCESSING,
    LIST_SUCCEEDED,
    LIST_FAILED,
    LIST_CANCELLED,
    LIST_PARKED,
    LIST_CAUSE,
    LINES,
    CAUSES,
    RECENT,
    LONGEST_WAIT,
    NODES,
    // what people do there
    READY_NOW,
    FORGET_BODY,
    FORGET_HISTORY,
    NOTE,
    AUDIT,
    // the steps of those verbs that H2 cannot do in one statement
    EXISTING,
    ENQUEUE,
    DEFER,
    DUE,
    LEAVE_DEFERRED_IF_THERE,
    CANDIDATES,
    TAKE,
    NEXT_TOKEN,
    LEASE,
    LEASED,
    END,
    TELL,
    PARKED,
    LEAVE_PARKED_IF_THERE;

    String file() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
