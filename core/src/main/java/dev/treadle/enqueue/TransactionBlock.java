package dev.treadle.enqueue;

import dev.treadle.storage.StorageException;
import dev.treadle.transaction.OpenTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction that the scheduler itself begins and ends. Closing rolls back what was not committed. Used by one thread. */
final class TransactionBlock implements OpenTransaction, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionBlock.class);

    private final Connection connection;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private boolean committed;

    private TransactionBlock(Connection connection) {
        this.connection = connection;
    }

    /**
     * @throws StorageException         if no connection can be had
     * @throws IllegalArgumentException if the connection is in a transaction already
     */
    static TransactionBlock begin(DataSource from) {
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
        } catch (SQLException e) {
            throw new StorageException("No transaction could be begun: " + e.getMessage(), e, true);
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /** Commits, and does then what was to be done after that. */
    void commit() {
        try {
            connection.commit();
            committed = true;
        } catch (SQLException e) {
            throw new StorageException(
                    "The transaction could not be committed: " + e.getMessage()
                            + ". If the connection broke, it may have"
                            + " been committed anyway: look before you repeat it, or enqueue under ids of your own"
                            + " (JobOptions.withId or withIdsUnder), so that repeating changes nothing.",
                    e,
                    true);
        }
        runAll();
    }

    /** Each of them, whatever becomes of the others. */
    private void runAll() {
        RuntimeException failed = null;
        for (Runnable action : afterCommit) {
            try {
                action.run();
            } catch (RuntimeException e) {
                if (failed == null) {
                    failed = e;
                } else {
                    failed.addSuppressed(e);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    @Override
    public void close() {
        try (connection) {
            if (!committed) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            // nothing was committed, or all was: a connection that broke is for its pool to find out
            LOG.debug("A connection could not be given back as it was.", e);
        }
    }
}
