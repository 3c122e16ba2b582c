package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks at the database's settings when a storage is opened, and names those that are dangerous. */
final class StartCheck {
    private StartCheck() {}

    /**
     * What is dangerous, one sentence each with its remedy.
     *
     * @throws IllegalArgumentException if jobs cannot be kept there at all
     */
    static List<String> warnings(Dialect dialect, Connection connection) throws SQLException {
        List<String> warnings = new ArrayList<>(
                switch (dialect) {
                    case POSTGRESQL -> postgresql(connection);
                    case H2 -> h2(connection);
                });
        if (!isReadCommitted(connection)) {
            warnings.add("The pool's connections are not READ COMMITTED, so every call sets that first, which costs a"
                    + " statement each. Set the pool's transaction isolation to READ COMMITTED.");
        }
        return warnings;
    }

    static boolean isReadCommitted(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
    }

    private static List<String> postgresql(Connection connection) throws SQLException {
        if (text(connection, "select pg_is_in_recovery()").equals("t")) {
            throw new IllegalArgumentException("This PostgreSQL is a read-only replica, and jobs cannot be kept there."
                    + " Connect to the primary, for example with targetServerType=primary in the JDBC URL.");
        }
        List<String> warnings = new ArrayList<>();
        if (connection.getNetworkTimeout() == 0) {
            warnings.add("PostgreSQL is used without socketTimeout: when the network drops a connection without a word,"
                    + " a thread waits for an answer for ever. Add socketTimeout=60 (seconds) to the JDBC URL.");
        }
        if (text(connection, "show synchronous_commit").equals("off")) {
            warnings.add("PostgreSQL has synchronous_commit=off: a crash of the database loses the last acknowledged"
                    + " jobs. Set it to on, at least for this user: alter role … set synchronous_commit = on.");
        }
        if (text(connection, "show fsync").equals("off")) {
            warnings.add("PostgreSQL has fsync=off: a crash of its machine may lose or corrupt everything."
                    + " Set fsync=on in postgresql.conf.");
        }
        return warnings;
    }

    private static List<String> h2(Connection connection) throws SQLException {
        boolean persistent = connection.getMetaData().getURL().startsWith("jdbc:h2:file:")
                || text(
                                connection,
                                "select count(*) from information_schema.settings where setting_name = 'info.FILE_WRITE'")
                        .equals("1");
        String delay = text(
                connection, "select setting_value from information_schema.settings where setting_name = 'WRITE_DELAY'");
        if (persistent && !delay.equals("0")) {
            return List.of("H2 writes " + delay + " ms late: a crash loses jobs whose enqueue was acknowledged."
                    + " Add ;WRITE_DELAY=0 to the JDBC URL.");
        }
        return List.of();
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }
}
