package dev.treadle.storage.sql.mariadb;

import dev.treadle.storage.sql.session.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What a connection to MariaDB is told when the storage opens it. */
public final class MariaDbSession {
    /**
     * How long MariaDB lets a connection of the storage hold up others, in seconds, as {@code PostgresLimits} has it: the most
     * between two statements of a transaction, the longest wait for a lock, and the longest statement.
     */
    private static final String LIMITS =
            "set idle_transaction_timeout = 5, innodb_lock_wait_timeout = 8, max_statement_time = 50";

    /** A job may take its time; only what stands still for longer is ended by the server. */
    private static final String LIMITS_OF_WORK =
            "set idle_transaction_timeout = 3600, innodb_lock_wait_timeout = 3600, max_statement_time = 3600";

    /** Without it, MariaDB cuts off what is too long for its column, and says nothing. */
    private static final String STRICT = "set sql_mode = concat_ws(',', nullif(@@sql_mode, ''), 'STRICT_TRANS_TABLES')";

    private MariaDbSession() {}

    /** Of a connection that is ours alone. */
    public static void setUp(Connection connection) throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        if (!isStrict(connection)) {
            execute(connection, STRICT);
        }
        execute(connection, LIMITS);
    }

    static boolean isStrict(Connection connection) throws SQLException {
        return Rows.onlyText(connection, "select @@sql_mode").contains("STRICT_");
    }

    /** A job begins to work in a transaction of this connection, which is the storage's own. */
    public static void liftForWork(Connection connection) throws SQLException {
        execute(connection, LIMITS_OF_WORK);
    }

    /** What a job did in a transaction is done, and the rows of leases and keys will be locked from now on. */
    public static void setAfterWork(Connection connection) throws SQLException {
        execute(connection, LIMITS);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
