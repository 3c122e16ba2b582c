package dev.treadle.storage.sql.session;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What an SQLException means for another try. */
public enum SqlFailure {
    /** The database rolled back because of what others did: deadlock, serialisation, lock timeout. Safe to repeat. */
    ROLLED_BACK,
    /** The connection broke: the call may have taken effect. */
    CONNECTION_LOST,
    /**
     * The connection leads to a server that takes no writes any more, or to a database that has been closed: nothing has
     * taken effect, and nothing ever will on this connection.
     */
    CONNECTION_USELESS,
    /** The call itself is at fault: the same call will fail again. */
    AT_FAULT,
    /** Anything else: the database is away, starting, full, or its schema is being changed. */
    OTHER;

    /** H2: database file is locked by another process, which may be about to let go. */
    private static final int H2_ALREADY_OPEN = 90020;
    /** H2: the connection is broken. */
    private static final int H2_CONNECTION_BROKEN = 90067;
    /** H2: the database has been closed, as it is when its disk is full. */
    private static final int H2_CLOSED = 90098;

    private static final int H2_CLOSED_AT_SHUTDOWN = 90121;
    private static final int H2_CONNECTION_CLOSED = 90007;

    /** H2: another transaction changed the row or holds its lock. */
    private static final int H2_CONCURRENT_UPDATE = 90131;

    private static final int H2_LOCK_TIMEOUT = 50200;

    /** MariaDB: another transaction held the lock for too long, and only the statement was undone. */
    private static final int MARIADB_LOCK_TIMEOUT = 1205;
    /** MariaDB: the row has changed since it was read. */
    private static final int MARIADB_RECORD_CHANGED = 1020;

    private static final int MARIADB_DUPLICATE_KEY = 1062;
    /** MariaDB: the server was made read-only, by its option or for this transaction. */
    private static final int MARIADB_READ_ONLY = 1290;

    private static final int MARIADB_READ_ONLY_MODE = 1836;

    /** Another transaction inserted the same key since we looked; the next look sees it. */
    private static final String UNIQUE_VIOLATION = "23505";

    /** PostgreSQL: the server was demoted, or its database or role was made read-only. */
    public static final String READ_ONLY = "25006";

    /**
     * PostgreSQL ends the session: an administrator did (57P01), it crashed (57P02), it was idle for longer than it may
     * be, between transactions (57P05) or within one (25P03), or a transaction took longer than it may (25P04).
     */
    private static final Set<String> SESSION_ENDED = Set.of("57P01", "57P02", "57P05", "25P03", "25P04");

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Memory ran out: if it was the driver's, it may have stopped in the middle of an answer. */
    private static final String OUT_OF_MEMORY = "53200";

    /** Whether the connection is to be thrown away instead of lent again. */
    public boolean spoilsConnection() {
        return this == CONNECTION_LOST || this == CONNECTION_USELESS;
    }

    boolean isWorthRepeating() {
        return this != AT_FAULT;
    }

    /** What the database says, without the statement and the hints that follow on further lines. */
    public static String said(SQLException e) {
        String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        return line.replaceFirst("; SQL statement:$", "").replaceFirst("\\.$", "");
    }

    /** Another transaction held a row for too long. */
    public static boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == H2_LOCK_TIMEOUT
                || e.getErrorCode() == MARIADB_LOCK_TIMEOUT
                || LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    public static SqlFailure of(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            // the pool had no connection to lend: waiting again at once would only add to the queue
            return OTHER;
        }
        switch (e.getErrorCode()) {
            case H2_CONCURRENT_UPDATE,
                    H2_LOCK_TIMEOUT,
                    MARIADB_LOCK_TIMEOUT,
                    MARIADB_RECORD_CHANGED,
                    MARIADB_DUPLICATE_KEY:
                return ROLLED_BACK;
            case H2_ALREADY_OPEN, H2_CONNECTION_BROKEN:
                return CONNECTION_LOST;
            case H2_CLOSED, H2_CLOSED_AT_SHUTDOWN, H2_CONNECTION_CLOSED, MARIADB_READ_ONLY, MARIADB_READ_ONLY_MODE:
                return CONNECTION_USELESS;
            default:
                break;
        }
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.startsWith("40") || state.equals(UNIQUE_VIOLATION)) {
            return ROLLED_BACK;
        }
        if (state.startsWith("08") || state.equals(OUT_OF_MEMORY) || SESSION_ENDED.contains(state)) {
            return CONNECTION_LOST;
        }
        if (state.equals(READ_ONLY)) {
            return CONNECTION_USELESS;
        }
        return state.startsWith("22") || state.startsWith("54") ? AT_FAULT : OTHER;
    }
}
