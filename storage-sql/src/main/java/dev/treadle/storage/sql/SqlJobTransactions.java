package dev.treadle.storage.sql;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.JobTransactions;
import dev.treadle.storage.sql.connections.DirectConnections;
import dev.treadle.storage.sql.connections.SqlConnections;
import dev.treadle.storage.sql.mariadb.MariaDbSession;
import dev.treadle.storage.sql.postgresql.PostgresLimits;
import dev.treadle.storage.sql.session.LentConnection;
import dev.treadle.storage.sql.session.NamedStatement;
import dev.treadle.storage.sql.session.Session;
import dev.treadle.storage.sql.session.SqlStatement;
import dev.treadle.storage.sql.session.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Transactions of jobs on a SQL database. Thread-safe. */
final class SqlJobTransactions implements JobTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(SqlJobTransactions.class);
    private static final int USUAL_MILLIS = DirectConnections.SOCKET_TIMEOUT_SECONDS * 1_000;
    /** How long the driver waits for an answer: longer than the longest statement may take. */
    private static final int WORK_MILLIS = PostgresLimits.WORK_MILLIS + 10_000;

    private final DataSource dataSource;
    private final Transactions own;
    private final Limits limits;
    private final Semaphore connections;

    /**
     * @param own    the storage's own transactions
     * @param limits what limits the time of transactions
     * @param most   how many connections jobs may hold at once
     */
    private SqlJobTransactions(DataSource dataSource, Transactions own, Limits limits, int most) {
        this.dataSource = dataSource;
        this.own = own;
        this.limits = limits;
        this.connections = new Semaphore(most, true);
    }

    /** What limits the time of the storage's transactions on a server. */
    enum Limits {
        /** Nothing that the storage has set. */
        NONE,
        /** Each transaction sets the limits of PostgreSQL for itself. */
        OF_TRANSACTION,
        /** Each connection has the limits of PostgreSQL, and a limit of the driver. */
        OF_CONNECTION,
        /** The same on MariaDB. */
        OF_MARIADB_CONNECTION;

        private static Limits of(SqlConnections connections, OpenedDatabase opened) {
            return switch (opened.dialect()) {
                case H2 -> NONE;
                case MARIADB -> connections.areOurs() ? OF_MARIADB_CONNECTION : NONE;
                case POSTGRESQL ->
                    connections.areOurs() ? OF_CONNECTION : opened.terms().atBegin() == null ? NONE : OF_TRANSACTION;
            };
        }

        private boolean areOfConnection() {
            return this == OF_CONNECTION || this == OF_MARIADB_CONNECTION;
        }

        private void lift(Connection connection) throws SQLException {
            switch (this) {
                case OF_CONNECTION -> PostgresLimits.liftForWork(connection);
                case OF_MARIADB_CONNECTION -> MariaDbSession.liftForWork(connection);
                case NONE, OF_TRANSACTION -> {
                    // nothing is set yet
                }
            }
        }

        private void set(Connection connection) throws SQLException {
            switch (this) {
                case OF_CONNECTION, OF_TRANSACTION -> PostgresLimits.setAfterWork(connection);
                case OF_MARIADB_CONNECTION -> MariaDbSession.setAfterWork(connection);
                case NONE -> {
                    // nothing was lifted
                }
            }
        }
    }

    static JobTransactions of(SqlConnections connections, Transactions own, OpenedDatabase opened) {
        return new SqlJobTransactions(
                connections.pool(), own, Limits.of(connections, opened), connections.forJobsMax());
    }

    @Override
    public DataSource dataSource() {
        return dataSource;
    }

    @Override
    public Permit permit() throws InterruptedException {
        connections.acquire();
        return connections::release;
    }

    @Override
    public void workBegins(Connection connection) {
        limit(connection, limits::lift);
        if (limits.areOfConnection()) {
            limit(connection, one -> changeNetworkTimeout(one, USUAL_MILLIS, WORK_MILLIS));
        }
    }

    @Override
    public void workEnds(Connection connection) {
        limit(connection, limits::set);
        if (limits.areOfConnection()) {
            limit(connection, one -> changeNetworkTimeout(one, WORK_MILLIS, USUAL_MILLIS));
        }
    }

    @Override
    public void workFailed(Connection connection) {
        if (limits == Limits.OF_MARIADB_CONNECTION) {
            // on PostgreSQL they are the transaction's, and end with it; the pool resets the driver's limit
            try {
                limits.set(connection);
            } catch (SQLException e) {
                LOG.debug("A connection on which a job's work failed did not get its limits back.", e);
            }
        }
    }

    private static void changeNetworkTimeout(Connection connection, int from, int to) throws SQLException {
        if (connection.getNetworkTimeout() == from) {
            connection.setNetworkTimeout(Runnable::run, to);
        }
    }

    private static void limit(Connection connection, Limiting limiting) {
        try {
            limiting.on(connection);
        } catch (SQLException e) {
            throw LentConnection.failed("limit the time of the transaction", e);
        }
    }

    private interface Limiting {
        void on(Connection connection) throws SQLException;
    }

    @Override
    public Standing standing(RunId run) {
        boolean held = own.statement(
                "look whether a lease holds, which a transaction may still be ending",
                true,
                session -> isHeld(session, run));
        if (held) {
            return Standing.HOLDS_LEASE;
        }
        boolean succeeded = own.statement("look for an outcome", true, session -> hasSucceeded(session, run));
        return succeeded ? Standing.SUCCEEDED : Standing.LOST_LEASE;
    }

    private static boolean isHeld(Session session, RunId run) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.LOCK_LEASE)) {
            return rowOf(select, run) != null;
        }
    }

    private static boolean hasSucceeded(Session session, RunId run) throws SQLException {
        try (NamedStatement select = session.statement(SqlStatement.RECORDED)) {
            Integer event = rowOf(select, run);
            return event != null && event == Event.COMPLETED.code();
        }
    }

    private static @Nullable Integer rowOf(NamedStatement select, RunId run) throws SQLException {
        select.setObject("job_id", run.job().value());
        select.setLong("token", run.token());
        try (ResultSet row = select.executeQuery()) {
            return row.next() ? (Integer) row.getInt(1) : null;
        }
    }
}
