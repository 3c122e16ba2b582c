package dev.treadle.storage.sql.session;

import java.sql.Connection;

/**
 * What a database and its driver take in another way than the portable statements, and the code that sends them, say it.
 * Thread-safe.
 */
public interface SqlAdapter {
    /** For databases that take all of it as it is. */
    SqlAdapter NONE = new SqlAdapter() {};

    /** A portable statement in the words of this database, with the same parameters in the same order. */
    default String text(String sql) {
        return sql;
    }

    /** The same connection, with statements that take and give values as portable code does. */
    default Connection connection(Connection connection) {
        return connection;
    }
}
