package dev.treadle.storage.sql.mariadb;

import dev.treadle.storage.sql.session.Rows;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Looks at a MariaDB's settings when a storage is opened on it. */
public final class MariaDbCheck {
    private static final int MAJOR_MIN = 10;
    private static final int MINOR_MIN = 6;

    /** Modes in which texts would not be read back as they were written. */
    private static final List<String> TWISTING_MODES = List.of("EMPTY_STRING_IS_NULL", "NO_BACKSLASH_ESCAPES");

    private MariaDbCheck() {}

    /**
     * What is dangerous, one sentence each with its remedy.
     *
     * @param isOurs whether the storage opened the connection itself
     * @throws IllegalArgumentException if jobs cannot be kept there at all
     */
    public static List<String> warnings(Connection connection, boolean isOurs) throws SQLException {
        mustBeNewEnough(connection.getMetaData());
        mustBeWritable(connection);
        mustKeepTexts(connection);
        mustCountInBatches(connection);
        List<String> warnings = new ArrayList<>();
        if (!variable(connection, "innodb_flush_log_at_trx_commit").equals("1")) {
            warnings.add("MariaDB has innodb_flush_log_at_trx_commit="
                    + variable(connection, "innodb_flush_log_at_trx_commit")
                    + ": a crash loses the last acknowledged jobs. Set it to 1.");
        }
        if (!isOurs) {
            warnings.addAll(limits(connection));
        }
        return warnings;
    }

    private static void mustBeNewEnough(DatabaseMetaData about) throws SQLException {
        int major = about.getDatabaseMajorVersion();
        if (major < MAJOR_MIN || major == MAJOR_MIN && about.getDatabaseMinorVersion() < MINOR_MIN) {
            throw new IllegalArgumentException("This MariaDB is " + about.getDatabaseProductVersion()
                    + ", and Treadle needs 10.6 or later: older ones have no SKIP LOCKED, so nodes would wait for each"
                    + " other at every claim. Upgrade the server.");
        }
    }

    private static void mustBeWritable(Connection connection) throws SQLException {
        if (!variable(connection, "global.read_only").equals("0")) {
            throw new IllegalArgumentException(
                    "This MariaDB is read-only (read_only=ON), as replicas are, and jobs cannot"
                            + " be kept there. Connect to the primary, or set read_only=OFF.");
        }
    }

    private static void mustKeepTexts(Connection connection) throws SQLException {
        String charset = variable(connection, "character_set_client");
        if (!charset.equals("utf8mb4")) {
            throw new IllegalArgumentException("The connections to MariaDB have the character set " + charset
                    + ", in which not every job can be written. Let the driver choose (utf8mb4): remove SET NAMES from what"
                    + " the pool or the URL runs on new connections.");
        }
        String modes = variable(connection, "sql_mode");
        if (!MariaDbSession.isStrict(connection)) {
            throw new IllegalArgumentException("MariaDB's sql_mode is '" + modes
                    + "': without STRICT_TRANS_TABLES it cuts off what is too long for its column, and says nothing. Add"
                    + " STRICT_TRANS_TABLES to sql_mode, or let the pool set it for each connection.");
        }
        for (String mode : TWISTING_MODES) {
            if (List.of(modes.split(",")).contains(mode)) {
                throw new IllegalArgumentException("MariaDB's sql_mode has " + mode
                        + ", and texts would not be read as they were written. Remove it from sql_mode, or let the pool"
                        + " set sql_mode for each connection.");
            }
        }
    }

    private static void mustCountInBatches(Connection connection) throws SQLException {
        if (connection.isWrapperFor(org.mariadb.jdbc.Connection.class)
                && connection
                        .unwrap(org.mariadb.jdbc.Connection.class)
                        .getContext()
                        .getConf()
                        .useBulkStmts()) {
            throw new IllegalArgumentException(
                    "MariaDB's driver has useBulkStmts=true, and does not say then which job of"
                            + " a batch was taken and which one another node was faster with. Remove useBulkStmts from the JDBC URL.");
        }
    }

    private static List<String> limits(Connection connection) throws SQLException {
        List<String> warnings = new ArrayList<>();
        if (variable(connection, "idle_transaction_timeout").equals("0")
                && variable(connection, "idle_write_transaction_timeout").equals("0")) {
            warnings.add(
                    "MariaDB is used without idle_transaction_timeout: a process that is suspended in the middle of a"
                            + " transaction holds its locks for as long as it sleeps. Let the pool set it for each connection: set"
                            + " idle_transaction_timeout = 5.");
        }
        if (connection.getNetworkTimeout() == 0) {
            warnings.add("MariaDB is used without socketTimeout: when the network drops a connection without a word, a"
                    + " thread waits for an answer for ever. Add socketTimeout=60000 (milliseconds) to the JDBC URL.");
        }
        return warnings;
    }

    private static String variable(Connection connection, String name) throws SQLException {
        return Rows.onlyText(connection, "select @@" + name);
    }
}
