package dev.treadle.storage.sql;

import dev.treadle.storage.sql.mariadb.MariaDbCheck;
import dev.treadle.storage.sql.postgresql.PostgresLimits;
import dev.treadle.storage.sql.postgresql.PostgresSession;
import dev.treadle.storage.sql.session.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;

/** Looks at the database's settings when a storage is opened, and names those that are dangerous. */
final class StartCheck {
    private static final Pattern SEVERAL_HOSTS = Pattern.compile("jdbc:postgresql://[^/?]+,");
    private static final Pattern FOR_WRITING = Pattern.compile("[?&]targetServerType=(primary|master|preferPrimary)");

    private StartCheck() {}

    /**
     * What is dangerous, one sentence each with its remedy.
     *
     * @param session what else is known of the connection
     * @throws IllegalArgumentException if jobs cannot be kept there at all
     */
    static List<String> warnings(Dialect dialect, Connection connection, SessionFacts session) throws SQLException {
        List<String> warnings = new ArrayList<>(
                switch (dialect) {
                    case POSTGRESQL -> postgresql(connection, session);
                    case H2 -> h2(connection);
                    case MARIADB -> MariaDbCheck.warnings(connection, session.isOurs());
                });
        if (!isReadCommitted(connection)) {
            if (session.isShared()) {
                throw new IllegalArgumentException("A pooler shares this PostgreSQL's sessions among connections, which"
                        + " are not READ COMMITTED there, and no connection may change that for the others. Set it for the"
                        + " user: alter role … set default_transaction_isolation = 'read committed'.");
            }
            warnings.add("The pool's connections are not READ COMMITTED, so every call sets that first, which costs a"
                    + " statement each. Set the pool's transaction isolation to READ COMMITTED.");
        }
        return warnings;
    }

    /**
     * Whose session of the server it is.
     *
     * @param isShared whether a pooler lends it to other connections between transactions
     * @param isOurs   whether the storage opened the connection itself
     */
    record SessionFacts(boolean isShared, boolean isOurs) {}

    static boolean isReadCommitted(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
    }

    private static List<String> postgresql(Connection connection, SessionFacts session) throws SQLException {
        if (Rows.onlyText(connection, "select pg_is_in_recovery()").equals("t")) {
            throw new IllegalArgumentException("This PostgreSQL is a read-only replica, and jobs cannot be kept there."
                    + " Connect to the primary, for example with targetServerType=primary in the JDBC URL.");
        }
        if (session.isShared() && !session.isOurs()) {
            mustNotPrepare(connection);
        }
        List<String> warnings = new ArrayList<>();
        for (PostgresLimits limit : PostgresLimits.lackingIn(connection)) {
            warnings.addAll(limit.warnings());
        }
        if (!Rows.onlyText(connection, "show server_encoding").equals("UTF8")) {
            warnings.add(
                    "This PostgreSQL database is not in UTF8: jobs, results and log lines with characters that it does"
                            + " not have are refused. Use a database with encoding 'UTF8'.");
        }
        String url = connection.getMetaData().getURL();
        if (SEVERAL_HOSTS.matcher(url).lookingAt() && !FOR_WRITING.matcher(url).find()) {
            warnings.add(
                    "The JDBC URL names several hosts and does not ask for the primary: after a failover the driver"
                            + " may choose a server that takes no writes. Add targetServerType=primary.");
        }
        if (connection.getNetworkTimeout() == 0) {
            warnings.add("PostgreSQL is used without socketTimeout: when the network drops a connection without a word,"
                    + " a thread waits for an answer for ever. Add socketTimeout=60 (seconds) to the JDBC URL.");
        }
        if (Rows.onlyText(connection, "show synchronous_commit").equals("off")) {
            warnings.add("PostgreSQL has synchronous_commit=off: a crash of the database loses the last acknowledged"
                    + " jobs. Set it to on, at least for this user: alter role … set synchronous_commit = on.");
        }
        if (Rows.onlyText(connection, "show fsync").equals("off")) {
            warnings.add("PostgreSQL has fsync=off: a crash of its machine may lose or corrupt everything."
                    + " Set fsync=on in postgresql.conf.");
        }
        return warnings;
    }

    /**
     * The driver prepares what it executes often, COMMIT and ROLLBACK too, under names that another session knows as other
     * statements. Refused, because jobs would be lost after they were acknowledged; and not mended here, because users' code
     * may have prepared something on these connections before.
     */
    private static void mustNotPrepare(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        if (driver.getPrepareThreshold() != 0 && driver.getPreferQueryMode() != PreferQueryMode.SIMPLE) {
            throw new IllegalArgumentException(
                    "A pooler such as PgBouncer stands between this DataSource and PostgreSQL,"
                            + " and the driver's prepared statements get mixed up there: a commit may be executed as a rollback, so"
                            + " that acknowledged jobs are lost. Add prepareThreshold=0 to the JDBC URL. If each connection has a"
                            + " session of its own (PgBouncer's pool_mode = session), say so instead with"
                            + " SqlStorageSettings.withPooler(Pooler.SESSION).");
        }
    }

    /**
     * Sees through a wrong {@link Pooler#SESSION}, as far as can be seen: a session that serves a second connection while
     * the first one is open.
     *
     * @throws IllegalArgumentException if it is shared
     */
    static void mustNotShare(Connection first, DataSource others) throws SQLException {
        if (!PostgresSession.isBehindPooler(first)) {
            return;
        }
        try (Connection second = others.getConnection()) {
            if (PostgresSession.backend(first) == PostgresSession.backend(second)) {
                throw new IllegalArgumentException("SqlStorageSettings.pooler is SESSION, but the pooler lets two"
                        + " connections share a session of PostgreSQL. Set its pool_mode to session, or use"
                        + " Pooler.DETECT.");
            }
        }
    }

    private static List<String> h2(Connection connection) throws SQLException {
        boolean persistent = connection.getMetaData().getURL().startsWith("jdbc:h2:file:")
                || Rows.onlyText(
                                connection,
                                "select count(*) from information_schema.settings where setting_name = 'info.FILE_WRITE'")
                        .equals("1");
        String delay = Rows.onlyText(
                connection, "select setting_value from information_schema.settings where setting_name = 'WRITE_DELAY'");
        if (persistent && !delay.equals("0")) {
            return List.of("H2 writes " + delay + " ms late: a crash loses jobs whose enqueue was acknowledged."
                    + " Add ;WRITE_DELAY=0 to the JDBC URL; and ;DB_CLOSE_ON_EXIT=FALSE, or H2 closes the database as"
                    + " soon as the JVM is told to end, before the last jobs are recorded.");
        }
        return List.of();
    }
}
