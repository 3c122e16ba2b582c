package dev.treadle.spring;

import dev.treadle.transaction.AfterCommitActions;
import dev.treadle.transaction.OpenTransaction;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One of Spring's transactions, from the first call that takes part in it to its end. Spring suspends and resumes it with
 * the transaction. Used by the thread of the transaction.
 */
final class SpringTransaction implements OpenTransaction, TransactionSynchronization {
    private static final Logger LOG = LoggerFactory.getLogger(SpringTransaction.class);

    private final ConnectionHolder holder;
    private final AfterCommitActions actions = new AfterCommitActions();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private boolean ending;

    /** How many actions there were at a savepoint. */
    private record Mark(Object savepoint, int actions) {}

    SpringTransaction(ConnectionHolder holder) {
        this.holder = holder;
    }

    boolean isOn(ConnectionHolder other) {
        return holder == other;
    }

    /** Whether its commit, or its rollback, has begun. */
    boolean isEnding() {
        return ending;
    }

    @Override
    public Connection connection() {
        return holder.getConnection();
    }

    @Override
    public void afterCommit(Runnable action) {
        actions.add(action);
    }

    @Override
    public boolean isReadOnly() {
        return TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    }

    @Override
    public void savepoint(Object savepoint) {
        marks.push(new Mark(savepoint, actions.size()));
    }

    /** What came with jobs that are not there any more goes, too. A savepoint that is not known is older than all of them. */
    @Override
    public void savepointRollback(Object savepoint) {
        int kept = 0;
        for (Iterator<Mark> each = marks.iterator(); each.hasNext(); ) {
            Mark mark = each.next();
            if (mark.savepoint == savepoint) {
                kept = mark.actions;
                break;
            }
            each.remove();
        }
        actions.keepFirst(kept);
    }

    @Override
    public void beforeCompletion() {
        ending = true;
    }

    /** What is thrown here reaches the caller of the commit. */
    @Override
    public void afterCommit() {
        actions.runAll();
    }

    /** Runs what the afterCommit of another, which threw, kept from running. */
    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED) {
            actions.runAll();
        } else if (status == STATUS_UNKNOWN && actions.size() > 0) {
            LOG.warn(
                    "Whether a transaction was committed is not known. Its jobs are there if it was; those that were to be"
                            + " enqueued after its commit (TransactionMode.AFTER_COMMIT) are not.");
        }
    }
}
