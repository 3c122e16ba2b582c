package dev.treadle.jta;

import dev.treadle.transaction.OpenTransaction;
import dev.treadle.transaction.TransactionLink;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * Lets jobs take part in the transactions of a JTA transaction manager:
 *
 * <pre>{@code
 * Treadle.on(SqlStorageProvider.using(plainPool))
 *         .transactionLink(JtaTransactionLink.of(transactionManager))
 *         .transactionsOf(jtaDataSource)
 * }</pre>
 *
 * The storage has a pool of its own, which knows nothing of JTA. The DataSource that is named for transactions leads to the
 * same database and enlists its connections. Thread-safe.
 */
public final class JtaTransactionLink implements TransactionLink {
    private final ThreadTransactions transactions;
    private final Map<JtaTransaction.Key, JtaTransaction> known = new ConcurrentHashMap<>();

    private JtaTransactionLink(ThreadTransactions transactions) {
        this.transactions = transactions;
    }

    /** Joins the transactions of this manager. */
    public static JtaTransactionLink of(TransactionManager manager) {
        return new JtaTransactionLink(ThreadTransactions.of(manager));
    }

    /** Joins the transactions of this registry, which is what Jakarta EE gives to applications. */
    public static JtaTransactionLink of(TransactionSynchronizationRegistry registry) {
        return new JtaTransactionLink(ThreadTransactions.of(registry));
    }

    @Override
    public Optional<OpenTransaction> current(DataSource dataSource) {
        return switch (transactions.status()) {
            case Status.STATUS_ACTIVE -> Optional.of(joined(dataSource));
            case Status.STATUS_MARKED_ROLLBACK ->
                throw new IllegalStateException(
                        "The JTA transaction of this thread is marked for rollback, so no job would be kept that is enqueued"
                                + " in it. Enqueue in a transaction of its own, or with"
                                + " JobOptions.withTransactionMode(TransactionMode.OWN).");
            // none, or one whose end has begun
            default -> Optional.empty();
        };
    }

    private JtaTransaction joined(DataSource dataSource) {
        var key = new JtaTransaction.Key(transactions.current(), dataSource);
        JtaTransaction found = known.get(key);
        if (found == null) {
            // not by computeIfAbsent: the manager calls others while it registers, and no other thread has this key now
            found = new JtaTransaction(dataSource, () -> known.remove(key));
            transactions.register(found);
            known.put(key, found);
        }
        return found;
    }
}
