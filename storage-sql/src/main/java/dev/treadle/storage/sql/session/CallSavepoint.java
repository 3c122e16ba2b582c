package dev.treadle.storage.sql.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A point in a caller's transaction that one call can go back to. It is set by SQL: connections of JTA transactions refuse
 * the savepoints of JDBC. Used by one thread, one at a time.
 *
 * @param connection the caller's
 */
public record CallSavepoint(Connection connection) {
    private static final String NAME = "treadle_call";

    /** Sets one. */
    public static CallSavepoint on(Connection connection) throws SQLException {
        CallSavepoint savepoint = new CallSavepoint(connection);
        savepoint.execute("savepoint " + NAME);
        return savepoint;
    }

    /** Keeps what came after it. */
    public void release() throws SQLException {
        execute("release savepoint " + NAME);
    }

    /** Undoes what came after it. */
    public void rollBack() throws SQLException {
        execute("rollback to savepoint " + NAME);
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
