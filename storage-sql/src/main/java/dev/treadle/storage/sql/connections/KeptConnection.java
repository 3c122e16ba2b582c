package dev.treadle.storage.sql.connections;

import dev.treadle.storage.sql.session.ConnectionSource;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection that is set aside for one kind of call while a server runs, so that these calls never wait for the
 * connections that users' code holds. Calls of that kind take turns. One that broke or went stale is replaced. Thread-safe.
 */
public final class KeptConnection implements ConnectionSource {
    /** A connection that rested longer is asked whether it still works before it is lent, in milliseconds. */
    private static final long TRUSTED_MILLIS = 1_000;
    /** How long that question may take, in seconds. */
    private static final int ANSWER_SECONDS_MAX = 3;

    private static final Logger LOG = LoggerFactory.getLogger(KeptConnection.class);

    private final ConnectionSource source;
    private final ConnectionSource pool;
    /** Fair: who waits longest is next. Guards all below. */
    private final ReentrantLock turn = new ReentrantLock(true);

    private boolean keeping;
    private @Nullable Loan kept;
    private long lastUsedNanos;

    /**
     * @param source where the connection comes from
     * @param pool   lends while none is kept
     */
    KeptConnection(ConnectionSource source, ConnectionSource pool) {
        this.source = source;
        this.pool = pool;
    }

    /** From now on, the first call keeps its connection. */
    void keep() {
        turn.lock();
        try {
            keeping = true;
        } finally {
            turn.unlock();
        }
    }

    /** Takes the connection that is to be kept: later there may be none to be had. */
    void take() throws SQLException {
        turn.lock();
        try {
            if (keeping && kept == null) {
                usable();
            }
        } finally {
            turn.unlock();
        }
    }

    /** Keeps none any longer, and gives back what was kept. */
    void letGo() {
        turn.lock();
        try {
            keeping = false;
            giveBack();
        } finally {
            turn.unlock();
        }
    }

    /** Gives back a connection that no call has used for so long; the next call opens another. */
    void letGoAfter(Duration rest) {
        if (turn.tryLock()) {
            try {
                if (kept != null && System.nanoTime() - lastUsedNanos > rest.toNanos()) {
                    giveBack();
                }
            } finally {
                turn.unlock();
            }
        }
    }

    @Override
    public Loan lend() throws SQLException {
        if (turn.isHeldByCurrentThread()) {
            // a call within a call is not part of its transaction
            return pool.lend();
        }
        turn.lock();
        boolean lent = false;
        try {
            if (keeping) {
                Loan loan = new KeptLoan(usable().connection());
                lent = true;
                return loan;
            }
        } finally {
            if (!lent) {
                turn.unlock();
            }
        }
        return pool.lend();
    }

    /**
     * As {@link #lend}, for those who can do with another connection.
     *
     * @return null if it was not this caller's turn in time
     */
    @Nullable
    Loan lendWithin(long millis) throws SQLException {
        if (turn.isHeldByCurrentThread()) {
            return null;
        }
        boolean lent = false;
        boolean mine = false;
        try {
            mine = turn.tryLock() || millis > 0 && turn.tryLock(millis, TimeUnit.MILLISECONDS);
            if (!mine || !keeping) {
                return null;
            }
            Loan loan = new KeptLoan(usable().connection());
            lent = true;
            return loan;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            if (mine && !lent) {
                turn.unlock();
            }
        }
    }

    private Loan usable() throws SQLException {
        if (kept != null) {
            boolean fresh = false;
            try {
                fresh = !isStale(kept.connection());
            } finally {
                if (!fresh) {
                    // also if that could not be found out: half an answer may be on its way
                    drop(SqlFailure.CONNECTION_LOST);
                }
            }
        }
        Loan loan = kept;
        if (loan == null) {
            loan = source.lend();
            kept = loan;
            lastUsedNanos = System.nanoTime();
        }
        return loan;
    }

    private boolean isStale(Connection connection) throws SQLException {
        return connection.isClosed()
                // a transaction that could not be rolled back
                || !connection.getAutoCommit()
                || System.nanoTime() - lastUsedNanos > TimeUnit.MILLISECONDS.toNanos(TRUSTED_MILLIS)
                        && !connection.isValid(ANSWER_SECONDS_MAX);
    }

    /** Whatever happens, it is kept no longer: a connection that could not be thrown away must not be lent again. */
    private void drop(SqlFailure why) {
        Loan loan = kept;
        kept = null;
        if (loan != null) {
            try {
                loan.discard(why);
            } finally {
                close(loan);
            }
        }
    }

    private void giveBack() {
        Loan loan = kept;
        kept = null;
        if (loan != null) {
            close(loan);
        }
    }

    private static void close(Loan loan) {
        try {
            loan.close();
        } catch (SQLException e) {
            LOG.debug("A connection could not be closed; it was of no use any more.", e);
        }
    }

    /** Held by the thread that has the turn. */
    private final class KeptLoan implements Loan {
        private final Connection connection;
        private @Nullable SqlFailure discarded;

        KeptLoan(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public void discard(SqlFailure why) {
            discarded = why;
        }

        @Override
        public void close() {
            try {
                lastUsedNanos = System.nanoTime();
                if (discarded != null) {
                    drop(discarded);
                }
            } finally {
                turn.unlock();
            }
        }
    }
}
