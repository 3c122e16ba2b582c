package dev.treadle.jta;

import dev.treadle.transaction.AfterCommitActions;
import dev.treadle.transaction.OpenTransaction;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JTA transaction, from the first call that takes part in it to its end. It has a handle of its own on the
 * transaction's connection, and closes only that. Used by the thread of the transaction, and told of the end by whichever
 * thread ends it.
 */
final class JtaTransaction implements OpenTransaction, Synchronization {
    private static final Logger LOG = LoggerFactory.getLogger(JtaTransaction.class);

    private final DataSource dataSource;
    private final Runnable forget;
    private final AfterCommitActions actions = new AfterCommitActions();
    /** Null while there is none. Taken by the thread of the transaction, and closed by the one that ends it. */
    private final AtomicReference<@Nullable Connection> handle = new AtomicReference<>();

    /** One transaction on one DataSource. */
    record Key(Object transaction, DataSource dataSource) {}

    /** @param forget run at its end */
    JtaTransaction(DataSource dataSource, Runnable forget) {
        this.dataSource = dataSource;
        this.forget = forget;
    }

    @Override
    public Connection connection() {
        Connection open = handle.get();
        if (open == null) {
            try {
                open = enlisted();
            } catch (SQLException e) {
                throw new IllegalStateException(
                        "The DataSource has no connection for the JTA transaction of this thread: " + e.getMessage(),
                        e);
            }
            handle.set(open);
        }
        return open;
    }

    private Connection enlisted() throws SQLException {
        Connection connection = dataSource.getConnection();
        boolean enlisted = false;
        try {
            // some enlist with the first statement
            connection.createStatement().close();
            enlisted = !connection.getAutoCommit();
            if (!enlisted) {
                throw new IllegalStateException(
                        "The DataSource (" + dataSource.getClass().getName()
                                + ") did not enlist its connection in the JTA transaction of this thread. Name the one that does"
                                + " with Treadle.Builder.transactionsOf(…), or enqueue apart from the transaction with"
                                + " JobOptions.withTransactionMode(TransactionMode.OWN).");
            }
            return connection;
        } finally {
            if (!enlisted) {
                connection.close();
            }
        }
    }

    @Override
    public void afterCommit(Runnable action) {
        actions.add(action);
    }

    /** Pools complain of handles that are open at the commit. */
    @Override
    public void beforeCompletion() {
        close();
    }

    @Override
    public void afterCompletion(int status) {
        forget.run();
        close();
        if (status == Status.STATUS_COMMITTED) {
            try {
                actions.runAll();
            } catch (RuntimeException e) {
                // the manager would drop it, or say it where no one looks
                LOG.error("A JTA transaction was committed, and what was to be done after that failed.", e);
            }
        } else if (status != Status.STATUS_ROLLEDBACK && actions.size() > 0) {
            LOG.warn(
                    "Whether a JTA transaction was committed is not known (status {}). Its jobs are there if it was; those"
                            + " that were to be enqueued after its commit (TransactionMode.AFTER_COMMIT) are not.",
                    status);
        }
    }

    private void close() {
        Connection open = handle.getAndSet(null);
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("A handle on a connection could not be closed; its transaction goes on without it.", e);
            }
        }
    }
}
