package dev.treadle.commit;

import dev.treadle.storage.StorageException;
import dev.treadle.transaction.OpenTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction that Treadle itself begins and ends, on a borrowed connection. Closing rolls back what was not committed,
 * and gives the connection back as it was, or broken if that cannot be done. Used by one thread.
 */
public final class TransactionBlock implements OpenTransaction, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionBlock.class);

    private final Connection borrowed;
    private final Connection shown;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final Map<Class<?>, Object> made = new HashMap<>();
    private boolean committed;

    private TransactionBlock(Connection borrowed) {
        this.borrowed = borrowed;
        this.shown = BlockConnection.of(borrowed);
    }

    /**
     * @throws StorageException         if no connection can be had
     * @throws IllegalArgumentException if the connection is in a transaction already
     */
    public static TransactionBlock begin(DataSource from) {
        try {
            Connection connection = from.getConnection();
            boolean begun = false;
            try {
                if (!connection.getAutoCommit()) {
                    throw new IllegalArgumentException(
                            "This DataSource handed out a connection with autocommit off, which"
                                    + " may be in the middle of a transaction already. Enqueue in that transaction with"
                                    + " jobs.in(connection), or give a DataSource whose connections come with autocommit on.");
                }
                connection.setAutoCommit(false);
                begun = true;
                return new TransactionBlock(connection);
            } finally {
                if (!begun) {
                    connection.close();
                }
            }
        } catch (SQLTransientConnectionException e) {
            throw new StorageException(
                    "No transaction could be begun, because the DataSource had no connection in time: "
                            + e.getMessage() + ". Each open transaction takes one: make the pool larger, or the"
                            + " transactions shorter.",
                    e,
                    true);
        } catch (SQLException e) {
            throw new StorageException("No transaction could be begun: " + e.getMessage(), e, true);
        }
    }

    /** The borrowed connection. Code that is given it cannot end the transaction. */
    @Override
    public Connection connection() {
        return shown;
    }

    /** What belongs to this transaction and is made once. */
    public <T> T once(Class<T> type, Supplier<T> make) {
        return type.cast(made.computeIfAbsent(type, unseen -> make.get()));
    }

    @Override
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /**
     * Commits.
     *
     * @return why that failed; null if it did not. After a failure it is not known whether the transaction was committed
     */
    public @Nullable Throwable commit() {
        try {
            borrowed.commit();
            committed = true;
            return null;
        } catch (SQLException | RuntimeException | Error e) {
            // errors too: memory may run out while the answer is read
            return e;
        }
    }

    /**
     * Does what was to be done after the commit: each of it, whatever becomes of the others.
     *
     * @throws StorageException if any failed
     */
    public void tellOfCommit() {
        List<Throwable> failed = new ArrayList<>();
        for (Runnable action : afterCommit) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                failed.add(e);
            }
        }
        if (!failed.isEmpty()) {
            StorageException all = new StorageException(
                    "The transaction has been committed, so do not repeat it; but " + failed.size() + " of "
                            + afterCommit.size() + " actions after the commit failed, the first one with: "
                            + failed.get(0).getMessage(),
                    failed.get(0),
                    false);
            failed.stream().skip(1).forEach(all::addSuppressed);
            throw all;
        }
    }

    /** Ends the transaction if it was not committed, and gives the connection back. */
    @Override
    public void close() {
        boolean clean = false;
        try {
            if (!committed) {
                borrowed.rollback();
            }
            borrowed.setAutoCommit(true);
            clean = true;
        } catch (SQLException e) {
            // nothing was committed, or all was; a server that sees the connection end rolls back what it holds
            LOG.debug("A transaction's connection broke, and is not lent again.", e);
        } finally {
            giveBack(clean);
        }
    }

    private void giveBack(boolean clean) {
        try (borrowed) {
            if (!clean) {
                // its pool must not lend it with this transaction in it
                borrowed.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.debug("A connection could not be given back as it was.", e);
        }
    }
}
