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

    Connection connection() {
        return connection;
    }

    /** Answers a statement whose parameters are set. */
    interface Work<T> {
        T in(Session session) throws SQLException;
    }
}
