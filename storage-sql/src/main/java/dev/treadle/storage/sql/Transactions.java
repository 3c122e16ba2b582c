package dev.treadle.storage.sql;

import dev.treadle.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Runs each call in a transaction of its own at READ COMMITTED, again where that is safe, and says of failures whether
 * it is worth trying later. Thread-safe.
 */
final class Transactions {
    /** Most tries of one call. */
    private static final int TRIES_MAX = 4;
    /** The longest wait before the second try, in milliseconds; doubled with each further one. */
    private static final long RETRY_MILLIS = 10;

    private final DataSource dataSource;
    private final Statements statements;
    private final boolean isolate;

    /**
     * @param isolate the pool's connections have another isolation than READ COMMITTED, so each call has to set it. Asking
     *                each time would cost a statement for every call
     */
    Transactions(DataSource dataSource, Statements statements, boolean isolate) {
        this.dataSource = dataSource;
        this.statements = statements;
        this.isolate = isolate;
    }

    /** One statement, which is its own transaction, or several that {@link Session#together} puts into one. */
    <T> T statement(String what, boolean repeatable, Session.Work<T> work) {
        return repeat(what, repeatable, connection -> {
            connection.setAutoCommit(true);
            return work.in(new Session(connection, statements));
        });
    }

    /** @param several whether the work takes more than one statement */
    <T> T run(String what, boolean repeatable, boolean several, Session.Work<T> work) {
        return several ? transaction(what, repeatable, work) : statement(what, repeatable, work);
    }

    /** Several statements that take effect together or not at all. */
    <T> T transaction(String what, boolean repeatable, Session.Work<T> work) {
        return statement(what, repeatable, session -> session.together(work));
    }

    private <T> T repeat(String what, boolean repeatable, OnConnection<T> work) {
        for (int tries = 1; ; tries++) {
            try (Connection connection = dataSource.getConnection()) {
                if (isolate) {
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                return unlessItBreaks(connection, work);
            } catch (SQLException e) {
                SqlFailure failure = SqlFailure.of(e);
                boolean safe = failure == SqlFailure.ROLLED_BACK || failure == SqlFailure.CONNECTION_LOST && repeatable;
                if (!safe || tries == TRIES_MAX) {
                    throw new StorageException(
                            "The storage could not " + what + ": " + e.getMessage(), e, failure.isWorthRepeating());
                }
                // jitter, so that two that collided do not collide again
                LockSupport.parkNanos(1_000_000L * ThreadLocalRandom.current().nextLong(1, RETRY_MILLIS << tries));
            }
        }
    }

    /**
     * Throws the connection away if anything but an SQLException comes out, such as a lack of memory: the driver may have
     * stopped in the middle of an answer, and would take the rest of it for the answer to the next statement.
     */
    private static <T> T unlessItBreaks(Connection connection, OnConnection<T> work) throws SQLException {
        boolean inStep = false;
        try {
            T result = work.in(connection);
            inStep = true;
            return result;
        } catch (SQLException e) {
            inStep = true;
            throw e;
        } finally {
            if (!inStep) {
                connection.abort(Runnable::run);
            }
        }
    }

    private interface OnConnection<T> {
        T in(Connection connection) throws SQLException;
    }
}
