package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** One connection for the length of one call, and the statements by their verbs. Used by one thread. */
final class Session {
    private final Connection connection;
    private final Statements statements;

    Session(Connection connection, Statements statements) {
        this.connection = connection;
        this.statements = statements;
    }

    /** The statement of a verb; the caller closes it. */
    PreparedStatement prepare(Verb verb) throws SQLException {
        return connection.prepareStatement(statements.of(verb));
    }

    /** What the statement of a verb says, for what goes another way than {@link #prepare}. */
    String text(Verb verb) {
        return statements.of(verb);
    }

    Connection connection() {
        return connection;
    }

    /** Whether each statement is a transaction of its own. */
    boolean isOneStatement() throws SQLException {
        return connection.getAutoCommit();
    }

    /** Several statements that take effect together or not at all; they join the transaction if one is under way. */
    <T> T together(Work<T> work) throws SQLException {
        if (!isOneStatement()) {
            return work.in(this);
        }
        connection.setAutoCommit(false);
        boolean committed = false;
        try {
            T result = work.in(this);
            connection.commit();
            committed = true;
            return result;
        } finally {
            if (!committed) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    /** Answers a statement whose parameters are set. */
    interface Work<T> {
        T in(Session session) throws SQLException;
    }
}
