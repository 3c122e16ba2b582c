package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/** One connection for the length of one call, and the statements by their verbs. Used by one thread. */
final class Session {
    private final Connection connection;
    private final Map<Verb, String> statements;

    Session(Connection connection, Map<Verb, String> statements) {
        this.connection = connection;
        this.statements = statements;
    }

    /** The statement of a verb; the caller closes it. */
    PreparedStatement prepare(Verb verb) throws SQLException {
        String sql = statements.get(verb);
        if (sql == null) {
            throw new IllegalStateException("This database has no statement for " + verb + ".");
        }
        return connection.prepareStatement(sql);
    }

    Connection connection() {
        return connection;
    }

    /** Answers a statement whose parameters are set. */
    interface Work<T> {
        T in(Session session) throws SQLException;
    }
}
