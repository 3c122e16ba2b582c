package dev.treadle.storage.sql.session;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Every statement that Treadle sends while jobs run. Each comes from a file of its name, or from one that several share. */
public enum SqlStatement {
    INSERT,
    INSERT_ONE,
    INSERT_ONE_RINGING,
    INSERT_LATER,
    INSERT_LEASED,
    INSERT_ONE_LEASED,
    PROMOTE,
    NEXT_DUE,
    OUTLOOK,
    CLAIM,
    LEASE_PAGES,
    LEASES_OF,
    COMPLETE,
    COMPLETE_ONE,
    APPLY,
    PARK,
    RECORDED,
    HEARTBEAT,
    LEAVE("gone", "unless_heard", ""),
    RING,
    RING_ALL,
    BEATS,
    BURY("gone", "unless_heard", " and beat_at = :beat_at"),
    ORPHANS,
    FREE_ORPHANS,
    END_STUCK_COPIES,
    FORGET_NODES,
    PARKED_TARGETS,
    UNPARK,
    LOCK_BODIES,
    LEAVE_DEFERRED("leave-place", "table", "treadle_deferred", "columns", "attempt"),
    LEAVE_READY("leave-place", "table", "treadle_ready", "columns", "attempt"),
    LEAVE_LEASE("leave-place", "table", "treadle_lease", "columns", "attempt, token, node"),
    LEAVE_PARKED("leave-place", "table", "treadle_parked", "columns", "attempt"),
    LEAVE_WAITING("leave-place", "table", "treadle_waiting", "columns", "attempt"),
    MOVE,
    LANES,
    LANE_ID,
    NEW_LANE,
    HEADS,
    PAUSE,
    RESUME,
    QUEUE_STATES,
    STORY,
    STATES,
    // many jobs at once, copied on PostgreSQL
    COPY_JOBS,
    COPY_READY,
    COUNT_ENQUEUED,
    END_LEASES,
    COPY_HISTORY,
    // what became of a transaction whose commit was not answered
    LOCK_LEASE,
    // which database a connection leads to
    IDENTITY,
    // single runs, and labels
    STOP_REQUESTS,
    STILL_RUNNING,
    RUN_ENDED,
    FORGET_RUNS,
    ASK_TO_STOP,
    TELL_PROGRESS,
    TELL_LINE,
    NOTES,
    LOG,
    LOG_AFTER,
    STEPS,
    STEP,
    RECORD_STEP,
    ENDINGS,
    LABEL,
    LABELLED,
    KEEP_DEADLINE,
    FORGET_DEADLINE,
    EXPIRED,
    // gates
    WAIT,
    GATE,
    GATE_ROWS,
    HOLD_LEASE,
    NEW_GATE,
    GATE_SPAWNED,
    AWAIT_GATE,
    COUNT_AT_GATE,
    LOOK_AT_AWAITED,
    CANCEL_AT_GATES,
    LOOK_AT_GATES,
    GATE_NEWS,
    GATE_COUNTS,
    FORGET_COUNT,
    GATE_LOOKED,
    GATE_PASSED,
    GATE_CANCELLED,
    EVENT,
    KEEP_EVENT,
    EVENT_GATE,
    EVENT_OVER,
    FORGET_EVENTS("leave-if-there", "table", "treadle_event"),
    FORGET_EVENT_GATES,
    // jobs that run after others
    MARK_FOLLOWED,
    FOLLOW_LEASE,
    HOLD_DEFERRED("hold-place", "table", "treadle_deferred"),
    HOLD_PARKED("hold-place", "table", "treadle_parked"),
    HOLD_KEYED("hold-place", "table", "treadle_keyed"),
    FIND_READY("find-ready", "and", ""),
    /** As most are: due since they were enqueued. Found without a look at all of their lane. */
    FIND_FRESH_READY("find-ready", "and", " and run_at = (select created_at from treadle_job where id = :job_id)"),
    AFTER_GATE,
    FOLLOW,
    EDGES,
    STALE_EDGES,
    EDGE_OUTCOME,
    EDGES_OF_DELETED,
    LOOK_AT_FOLLOWERS,
    EDGE_ENDS,
    GATE_STANDS,
    // one step of the retention
    RETENTION_TURN,
    RETENTION_WALKED,
    RETENTION_PAGE,
    RETENTION_LOCK,
    RETENTION_NEWEST,
    NEEDED_GATES,
    NEEDED_JOBS,
    RETENTION_DELETE_LABEL("retention-delete", "table", "treadle_label", "columns", "job_id"),
    RETENTION_DELETE_LOG("retention-delete", "table", "treadle_log", "columns", "job_id"),
    RETENTION_DELETE_PROGRESS("retention-delete", "table", "treadle_progress", "columns", "job_id"),
    RETENTION_DELETE_RESULT("retention-delete", "table", "treadle_result", "columns", "job_id"),
    RETENTION_DELETE_STEP("retention-delete", "table", "treadle_step", "columns", "job_id"),
    RETENTION_DELETE_EVENT("retention-delete", "table", "treadle_event", "columns", "job_id"),
    RETENTION_DELETE_GATE("retention-delete", "table", "treadle_gate", "columns", "waiter"),
    RETENTION_DELETE_EDGE("retention-delete", "table", "treadle_edge", "columns", "waiter"),
    RETENTION_DELETE_HISTORY("retention-delete", "table", "treadle_history", "columns", "job_id"),
    RETENTION_DELETE_JOB("retention-delete", "table", "treadle_job", "columns", "id"),
    RETENTION_WENT,
    COUNTS,
    TALLY,
    FOLD_TALLY,
    FORGET_TALLY,
    RECURRING_LIST,
    RECURRING_CREATE,
    RECURRING_REPLACE,
    RECURRING_DUE,
    RECURRING_ADVANCE,
    // jobs with a key, and unique names
    NOW,
    TRANSACTION_AGE,
    LOCK_KEYS,
    HOLD_KEYS,
    HOLD_FREE_KEYS,
    LOCK_LIMIT,
    SET_LOCK_LIMIT,
    BUSY_KEYS,
    SET_KEY,
    DROP_KEY,
    LINE_HEADS,
    WAIT_KEYED,
    JOIN_LINE,
    LEAVE_LINE("leave-if-there", "table", "treadle_keyed"),
    GO_ON,
    DUE_KEYED,
    WOKEN,
    PARKED_KEYED,
    DEFER_KEYED,
    /** Returns its attempt, and whether it was in the queue of its key, or parked. */
    LEAVE_KEYED(
            "leave-place",
            "table",
            "treadle_keyed",
            "columns",
            "attempt, place is not null, place is null and due_at is null"),
    LEAVE_DEFERRED_IF_THERE("leave-if-there", "table", "treadle_deferred"),
    FORGET_STEPS("leave-if-there", "table", "treadle_step"),
    LEAVE_PARKED_IF_THERE("leave-if-there", "table", "treadle_parked"),
    INSERT_BODIES,
    HOLD_NAME,
    TAKE_NAME,
    GIVE_NAME,
    NAMES,
    FORGET_NAME,
    REPLACE_BODY,
    DEFER,
    // what a dashboard asks
    LIST_ALL,
    LIST_SCHEDULED,
    LIST_ENQUEUED,
    LIST_PROCESSING("list-placed", "table", "treadle_lease"),
    LIST_SUCCEEDED,
    LIST_FAILED("list-ended", "state", "${FAILED}", "of_cause", ""),
    LIST_CANCELLED("list-ended", "state", "${CANCELLED}", "of_cause", ""),
    LIST_PARKED("list-placed", "table", "treadle_parked"),
    LIST_WAITING("list-placed", "table", "treadle_waiting"),
    LIST_CAUSE("list-ended", "state", "${FAILED}", "of_cause", " and ${cause} = :cause"),
    LIST_LABELLED,
    LIST_COUNTED,
    GATES_SEEN,
    LINES,
    HAVING_ARGUMENT,
    CAUSES,
    RECENT,
    LONGEST_WAIT,
    NODES,
    MINUTES,
    MINUTES_OF,
    // what operators do there
    READY_NOW("go-on"),
    NOTE,
    AUDIT,
    // single steps, on databases where one statement cannot do them all
    EXISTING,
    ENQUEUE,
    DUE,
    CANDIDATES,
    TAKE,
    NEXT_TOKEN,
    KEY_THERE,
    LEASE,
    LEASED,
    END("end", "only", ""),
    END_UNFOLLOWED("end", "only", " and followed is null"),
    TELL,
    TELL_FIRST_PROGRESS,
    KEEP_RESULT,
    MINUTE,
    FORGET_MINUTES,
    PARKED;

    private final String file;
    private final Map<String, String> fragments;

    SqlStatement() {
        this.file = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.fragments = Map.of();
    }

    /**
     * One of several statements that share a file.
     *
     * @param fragments names and texts in turn: what each <code>${name}</code> in the file stands for
     */
    SqlStatement(String file, String... fragments) {
        this.file = file;
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < fragments.length; i += 2) {
            given.put(fragments[i], fragments[i + 1]);
        }
        this.fragments = Map.copyOf(given);
    }

    /** The name of its file, without the folder. */
    public String file() {
        return file;
    }

    /** Whether it needs the time of the server in any case, as it looks at sessions and not at jobs. */
    boolean asksForTheServersTime() {
        return this == END_STUCK_COPIES;
    }

    /** The text with the fragments of this statement in their places. */
    String filled(String text) {
        String filled = text;
        for (Map.Entry<String, String> fragment : fragments.entrySet()) {
            filled = filled.replace("${" + fragment.getKey() + "}", fragment.getValue());
        }
        return filled;
    }
}
