package dev.treadle.storage.sql.postgresql;

import dev.treadle.storage.sql.session.ConnectionSource;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the threads of notifications use connections: no failure ends such a thread. */
final class BorrowedConnection {
    /** The rest after a failure, in milliseconds. */
    private static final long REST_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(BorrowedConnection.class);

    private BorrowedConnection() {}

    /** What is done with a connection. */
    interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** Starts a daemon thread. */
    static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Does the work on a connection that is given back afterwards. A failure is logged, and followed by a rest: even a
     * failed allocation must not leave this process deaf.
     *
     * @param what   completes "Cannot … new jobs for now"
     * @param closed whether a failure no longer matters
     */
    static void use(ConnectionSource connections, String what, BooleanSupplier closed, Work work) {
        try {
            use(connections, work);
        } catch (SQLException | RuntimeException | Error e) {
            if (!closed.getAsBoolean()) {
                say(what, e);
                LockSupport.parkNanos(BorrowedConnection.class, REST_MILLIS * 1_000_000);
            }
        }
    }

    private static void use(ConnectionSource connections, Work work) throws SQLException {
        try (ConnectionSource.Loan loan = connections.lend()) {
            try {
                work.on(loan.connection());
            } catch (SQLException e) {
                if (SqlFailure.of(e).spoilsConnection()) {
                    loan.discard(SqlFailure.of(e));
                }
                throw e;
            } catch (RuntimeException | Error e) {
                loan.discard(SqlFailure.CONNECTION_LOST);
                throw e;
            }
        }
    }

    private static void say(String what, Throwable failed) {
        try {
            LOG.info("Cannot {} new jobs for now; polling finds them: {}", what, failed.toString());
        } catch (RuntimeException | Error unsaid) {
            // there is no memory even for that; the next failure is told
        }
    }
}
