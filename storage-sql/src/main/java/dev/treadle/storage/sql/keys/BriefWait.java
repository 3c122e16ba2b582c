package dev.treadle.storage.sql.keys;

import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlFailure;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Waits for locks hardly at all: long enough for any transaction of Treadle's own, too short to be held up by one that an
 * application keeps open. For a part of a transaction, which goes on without the locks.
 */
public final class BriefWait {
    /** The longest wait for one lock, in milliseconds. */
    static final int MILLIS = 250;

    private BriefWait() {}

    /** Does something that may wait for locks; null, and nothing done, if it had to wait for too long. */
    public static <T> @Nullable T of(Session session, Session.Work<T> work) throws SQLException {
        int usual = limit(session);
        limit(session, MILLIS);
        Savepoint before = session.connection().setSavepoint();
        T done = null;
        try {
            done = work.in(session);
            session.connection().releaseSavepoint(before);
        } catch (SQLException e) {
            if (!SqlFailure.isLockTimeout(e)) {
                throw e;
            }
            session.connection().rollback(before);
        }
        limit(session, usual);
        return done;
    }

    private static int limit(Session session) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.LOCK_LIMIT);
                ResultSet row = select.executeQuery()) {
            row.next();
            return Integer.parseInt(row.getString(1));
        }
    }

    private static void limit(Session session, int millis) throws SQLException {
        try (Statement set = session.connection().createStatement()) {
            // why written into the text: SET takes no parameters
            set.execute(session.text(SqlStatement.SET_LOCK_LIMIT).replace("?", String.valueOf(millis)));
        }
    }
}
