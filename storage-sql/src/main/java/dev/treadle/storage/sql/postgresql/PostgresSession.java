package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.portable.TransactionAge;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Rows;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** What a connection to PostgreSQL is told when the storage opens it, and what it is asked. */
public final class PostgresSession {
    /**
     * Plans are made once and kept. One made while a table was empty would go on walking over the whole table when it
     * has grown, so no plan may walk over a table; and no statement is long enough for its compilation to pay. Notes such
     * as "exists already, skipping" are for people who type.
     */
    private static final String SET_UP = "set enable_seqscan = off; set jit = off; set client_min_messages = warning;"
            + " set default_transaction_isolation = 'read committed'; ";

    /** Tells the driver to prepare a statement at once, and to ask what it answers before it is executed. */
    private static final int BINARY_FROM_THE_FIRST = -1;

    private PostgresSession() {}

    /** Nothing is set in a session that others share. There, plans are made for each statement anew. */
    public static void setUp(Connection connection, boolean isShared) throws SQLException {
        if (isShared) {
            connection.unwrap(PGConnection.class).setPrepareThreshold(0);
        } else {
            execute(connection, SET_UP + PostgresLimits.FOR_SESSION);
        }
    }

    /** A pooler makes up the number that it tells a client at the start, because the server process is not known by then. */
    public static boolean isBehindPooler(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class)
                && connection.unwrap(PGConnection.class).getBackendPID() != backend(connection);
    }

    /** The server process that answers now. */
    public static int backend(Connection connection) throws SQLException {
        return Integer.parseInt(Rows.onlyText(connection, "select pg_backend_pid()"));
    }

    /**
     * Prepares a statement that answers hundreds of rows. The driver then reads them in binary from the first time on. It
     * would read text the first few times, which takes several times as long in a process that has just started.
     */
    static NamedStatement prepareForManyRows(Session session, SqlStatement verb) throws SQLException {
        NamedStatement statement = session.statement(verb);
        PreparedStatement prepared = statement.prepared();
        if (prepared.isWrapperFor(PGStatement.class)) {
            PGStatement driver = prepared.unwrap(PGStatement.class);
            // zero: a pooler shares this session, and nothing may be prepared in it
            if (driver.getPrepareThreshold() > 0) {
                driver.setPrepareThreshold(BINARY_FROM_THE_FIRST);
            }
        }
        return statement;
    }

    /** How old the transaction of this session is. */
    static TransactionAge age(Session session) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.TRANSACTION_AGE);
                ResultSet row = select.executeQuery()) {
            row.next();
            Instant began = Rows.instant(row, 1);
            return new TransactionAge(began, Duration.between(began, Rows.instant(row, 2)), System.nanoTime());
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
