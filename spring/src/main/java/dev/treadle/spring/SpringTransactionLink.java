package dev.treadle.spring;

import dev.treadle.transaction.OpenTransaction;
import dev.treadle.transaction.TransactionLink;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Lets jobs take part in Spring's transactions: those of {@code @Transactional}, of {@link TransactionTemplate}, and all
 * others whose manager binds a connection to the thread, as those for JDBC and JPA do. Found by
 * {@link java.util.ServiceLoader}. Thread-safe.
 *
 * <p>A transaction is joined if it runs on the DataSource that was
 * {@linkplain dev.treadle.Treadle.Builder#transactionsOf named}, with or without proxies of Spring's around it. While
 * callbacks are told of a commit, the transaction is over and is not joined: each call then commits by itself.
 */
public final class SpringTransactionLink implements TransactionLink {
    /** Where callbacks are told of the commit while all still looks as if the transaction were open. */
    private static final String COMMITTED = TransactionSynchronizationUtils.class.getName();

    private static final String TEMPLATE = TransactionTemplate.class.getName();
    private static final String ASPECT = TransactionAspectSupport.class.getName();

    /** Creates one, which needs nothing else. */
    public SpringTransactionLink() {}

    @Override
    public Optional<OpenTransaction> current(DataSource dataSource) {
        ConnectionHolder holder = bound(dataSource);
        if (holder == null) {
            return Optional.empty();
        }
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            mustHaveEnded(holder);
            return Optional.empty();
        }
        // a connection may also be bound for as long as a transaction of something else lasts, or for none
        if (!TransactionSynchronizationManager.isActualTransactionActive() || !isTransactional(holder)) {
            return Optional.empty();
        }
        SpringTransaction known = known(holder);
        if ((known == null || known.isEnding()) && isCommitted()) {
            return Optional.empty();
        }
        if (known == null) {
            known = new SpringTransaction(holder);
            TransactionSynchronizationManager.registerSynchronization(known);
        }
        return Optional.of(known);
    }

    private static @Nullable ConnectionHolder bound(DataSource dataSource) {
        Map<Object, Object> resources = TransactionSynchronizationManager.getResourceMap();
        if (!resources.isEmpty()) {
            DataSource wanted = innermost(dataSource);
            for (Map.Entry<Object, Object> resource : resources.entrySet()) {
                if (resource.getValue() instanceof ConnectionHolder holder
                        && resource.getKey() instanceof DataSource key
                        && innermost(key) == wanted) {
                    return holder;
                }
            }
        }
        return null;
    }

    private static DataSource innermost(DataSource dataSource) {
        DataSource inner = dataSource;
        while (inner instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            inner = proxy.getTargetDataSource();
        }
        return inner;
    }

    private static boolean isTransactional(ConnectionHolder holder) {
        Connection connection = holder.getConnection();
        try {
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new CannotGetJdbcConnectionException("The connection of the transaction cannot be used", e);
        }
    }

    private static @Nullable SpringTransaction known(ConnectionHolder holder) {
        for (TransactionSynchronization one : TransactionSynchronizationManager.getSynchronizations()) {
            if (one instanceof SpringTransaction transaction && transaction.isOn(holder)) {
                return transaction;
            }
        }
        return null;
    }

    /** Without synchronization, either the transaction has ended and its callbacks run, or its end is never reported. */
    private static void mustHaveEnded(ConnectionHolder holder) {
        if (!TransactionSynchronizationManager.isActualTransactionActive() && isTransactional(holder)) {
            throw new IllegalStateException("The transaction manager was told never to synchronize"
                    + " (setTransactionSynchronization), so Treadle would not learn of the commit. Let it synchronize, which is"
                    + " its default; or enqueue with jobs.in(DataSourceUtils.getConnection(dataSource)).");
        }
    }

    /**
     * Whether an {@code afterCommit} is being run. The connection and the synchronization are still there then. A job
     * written now would be rolled back at the cleanup if the pool's connections come with autocommit off: only the stack
     * tells. It is asked where this transaction was not known before its commit.
     */
    private static boolean isCommitted() {
        if (TransactionSynchronizationManager.getSynchronizations().isEmpty()) {
            // there would be the one that is being told
            return false;
        }
        return StackWalker.getInstance().walk(frames -> {
            boolean scopeWithin = false;
            for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
                String type = frame.getClassName();
                scopeWithin |= type.equals(TEMPLATE) || type.equals(ASPECT);
                if (type.equals(COMMITTED) && frame.getMethodName().equals("invokeAfterCommit")) {
                    mustBeKnown(scopeWithin);
                    return true;
                }
            }
            return false;
        });
    }

    private static void mustBeKnown(boolean scopeWithin) {
        if (scopeWithin) {
            throw new IllegalStateException("Within afterCommit, a further transactional call may be part of the"
                    + " transaction that has just been committed, and then what it writes may be lost. Enqueue with"
                    + " JobOptions.withTransactionMode(TransactionMode.OWN), or do this in afterCompletion.");
        }
    }
}
