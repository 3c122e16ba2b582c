package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long PostgreSQL lets a connection of the storage hold up others, whatever has become of this process: it may be
 * suspended, or its machine may be gone without a word, in the middle of a transaction. The server keeps these limits by
 * itself. What a user, a database or a URL sets instead is left as it is.
 */
public enum PostgresLimits {
    /**
     * The most between two statements of a transaction. Below the usual {@code deadAfter}, so that a node that rescues the jobs
     * of a suspended process does not have to wait for its locks.
     */
    IDLE_IN_TRANSACTION("idle_in_transaction_session_timeout", 5_000),
    /** The longest wait for a lock; longer than the above, so that a wait outlasts the transaction that holds it up. */
    LOCK("lock_timeout", 8_000),
    /** The longest statement; less than the client waits for its answer, so that the client never gives up first. */
    STATEMENT("statement_timeout", 50_000);

    /** After so long without an answer from the client's machine the server ends the connection, in milliseconds. */
    private static final int UNANSWERED_MILLIS = 20_000;

    /** For a session that is ours alone: each limit, and the probes that find out that a client's machine is gone. */
    static final String FOR_SESSION = all(false) + "; set tcp_user_timeout = " + UNANSWERED_MILLIS
            + "; set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

    /** For a transaction in a session that others use, too. */
    public static final String FOR_TRANSACTION = all(true);

    /**
     * Each of these limits in a transaction in which a job works on a connection of the storage's own: a job may take its time,
     * and only what stands still for longer is ended by the server. In milliseconds.
     */
    public static final int WORK_MILLIS = 3_600_000;
    /** Lifts what {@link #FOR_SESSION} has set, until the end of the transaction. */
    private static final String FOR_WORK =
            each(limit -> "case when current_setting('" + limit.setting + "')::interval = interval '" + limit.millis
                    + " ms' then set_config('" + limit.setting + "', '" + WORK_MILLIS + "', true) end");

    /** Sets the usual limits where there are none or {@link #FOR_WORK} has lifted them, until the end of the transaction. */
    private static final String AFTER_WORK =
            each(limit -> "case when current_setting('" + limit.setting + "')::interval in ('0', interval '"
                    + WORK_MILLIS + " ms') then set_config('" + limit.setting + "', '" + limit.millis + "', true) end");

    private final String setting;
    private final int millis;

    PostgresLimits(String setting, int millis) {
        this.setting = setting;
        this.millis = millis;
    }

    private static String all(boolean local) {
        return each(limit -> "case when current_setting('" + limit.setting + "') = '0' then set_config('"
                + limit.setting + "', '" + limit.millis + "', " + local + ") end");
    }

    private static String each(Function<PostgresLimits, String> said) {
        return "select " + Stream.of(values()).map(said).collect(Collectors.joining(", "));
    }

    /** A job begins to work in a transaction of this connection, which is the storage's own. */
    public static void liftForWork(Connection connection) throws SQLException {
        execute(connection, FOR_WORK);
    }

    /** What a job did in a transaction is done, and the rows of leases and keys will be locked from now on. */
    public static void setAfterWork(Connection connection) throws SQLException {
        execute(connection, AFTER_WORK);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Those that this session does not have. */
    public static List<PostgresLimits> lackingIn(Connection connection) throws SQLException {
        List<PostgresLimits> lacking = new ArrayList<>();
        for (PostgresLimits limit : values()) {
            if (Rows.onlyText(connection, "show " + limit.setting).equals("0")) {
                lacking.add(limit);
            }
        }
        return lacking;
    }

    /** What the lack of this limit leads to, with its remedy; empty for the one that each transaction of ours sets. */
    public List<String> warnings() {
        return switch (this) {
            case IDLE_IN_TRANSACTION -> List.of();
            case LOCK ->
                List.of("PostgreSQL is used without lock_timeout: a statement waits for a lock for as long as another"
                        + " session holds it, and may take effect long after its caller has given up. " + remedy());
            case STATEMENT ->
                List.of("PostgreSQL is used without statement_timeout: a statement goes on, and keeps its locks, long"
                        + " after its caller has given up. " + remedy());
        };
    }

    private String remedy() {
        return "Set it for the user of these connections: alter role … set " + setting + " = '" + millis / 1_000
                + "s'; or let the pool set it for each connection.";
    }
}
