package dev.treadle.storage.sql.session;

import dev.treadle.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs each call in a transaction of its own at READ COMMITTED, again where that is safe, and says of failures whether
 * it is worth trying later. Thread-safe.
 */
public final class OwnTransactions implements Transactions {
    /** Most tries of one call. */
    private static final int TRIES_MAX = 4;
    /** The longest wait before the second try, in milliseconds; doubled with each further one. */
    private static final long RETRY_MILLIS = 10;

    private final ConnectionSource lender;
    private final StatementTexts statements;
    private final Terms terms;

    /**
     * What each call has to set, because the connections do not bring it along. Each costs a statement for every call.
     *
     * @param isolate the connections have another isolation than READ COMMITTED, so each call has to set it
     * @param atBegin the statement that each transaction of several statements begins with; null if none is needed
     */
    public record Terms(boolean isolate, @Nullable String atBegin) {}

    public OwnTransactions(ConnectionSource lender, StatementTexts statements, Terms terms) {
        this.lender = lender;
        this.statements = statements;
        this.terms = terms;
    }

    /** The same on other connections. */
    public OwnTransactions on(ConnectionSource lender) {
        return new OwnTransactions(lender, statements, terms);
    }

    @Override
    public <T> T statement(String what, boolean repeatable, Session.Work<T> work) {
        return repeat(what, repeatable, connection -> work.in(new Session(connection, statements, terms.atBegin())));
    }

    @Override
    public void afterCommit(Runnable action) {
        action.run();
    }

    @Override
    public Transactions own() {
        return this;
    }

    private <T> T repeat(String what, boolean repeatable, OnConnection<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                return once(work);
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

    private <T> T once(OnConnection<T> work) throws SQLException {
        try (ConnectionSource.Loan loan = lender.lend()) {
            try {
                if (terms.isolate()) {
                    loan.connection().setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                return work.in(loan.connection());
            } catch (SQLException e) {
                SqlFailure failure = SqlFailure.of(e);
                if (failure.spoilsConnection()) {
                    loan.discard(failure);
                } else if (isLeftInTransaction(loan.connection())) {
                    loan.discard(SqlFailure.CONNECTION_LOST);
                }
                throw e;
            } catch (RuntimeException | Error e) {
                // it may have struck in the middle of an answer, whose rest would be taken for the next one
                loan.discard(SqlFailure.CONNECTION_LOST);
                throw e;
            }
        }
    }

    /** Its transaction could not be rolled back: the next call on this connection would go on in it. */
    private static boolean isLeftInTransaction(Connection connection) {
        try {
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            // closed, or broken in a way that only the next call would find
            return true;
        }
    }

    private interface OnConnection<T> {
        T in(Connection connection) throws SQLException;
    }
}
