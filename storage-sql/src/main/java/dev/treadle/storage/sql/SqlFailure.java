package dev.treadle.storage.sql;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** What an SQLException means for another try. */
enum SqlFailure {
    /** The database rolled back because of what others did: deadlock, serialisation, lock timeout. Safe to repeat. */
    ROLLED_BACK,
    /** The connection broke: the call may have taken effect. */
    CONNECTION_LOST,
    /** The call itself is at fault: the same call will fail again. */
    AT_FAULT,
    /** Anything else: the database is away, starting, full, or its schema is being changed. */
    OTHER;

    /** H2: database file is locked by another process, which may be about to let go. */
    private static final int H2_ALREADY_OPEN = 90020;
    /** H2: the connection is broken. */
    private static final int H2_CONNECTION_BROKEN = 90067;
    /** H2: somebody else changed the row or holds its lock. */
    private static final int H2_CONCURRENT_UPDATE = 90131;

    private static final int H2_LOCK_TIMEOUT = 50200;

    /** Somebody inserted the same key since we looked; the next look sees it. */
    private static final String UNIQUE_VIOLATION = "23505";

    boolean isWorthRepeating() {
        return this != AT_FAULT;
    }

    static SqlFailure of(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            // the pool had no connection to lend: waiting again at once would only add to the queue
            return OTHER;
        }
        switch (e.getErrorCode()) {
            case H2_CONCURRENT_UPDATE, H2_LOCK_TIMEOUT:
                return ROLLED_BACK;
            case H2_ALREADY_OPEN, H2_CONNECTION_BROKEN:
                return CONNECTION_LOST;
            default:
                break;
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.startsWith("40") || state.equals(UNIQUE_VIOLATION)) {
            return ROLLED_BACK;
        }
        if (state.startsWith("08") || state.equals("57P01")) {
            return CONNECTION_LOST;
        }
        return state.startsWith("22") || state.startsWith("54") ? AT_FAULT : OTHER;
    }
}
