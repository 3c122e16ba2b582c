package dev.treadle.jta;

import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** What has to be known of the calling thread's transaction. Thread-safe. */
interface ThreadTransactions {
    /** One of {@link Status}. */
    int status();

    /** The transaction, or what stands for it; equal to no other. */
    Object current();

    /** Has this told of its end. */
    void register(Synchronization told);

    static ThreadTransactions of(TransactionManager manager) {
        return new ThreadTransactions() {
            @Override
            public int status() {
                try {
                    return manager.getStatus();
                } catch (SystemException e) {
                    throw failed(e);
                }
            }

            @Override
            public Object current() {
                try {
                    return manager.getTransaction();
                } catch (SystemException e) {
                    throw failed(e);
                }
            }

            @Override
            public void register(Synchronization told) {
                try {
                    manager.getTransaction().registerSynchronization(told);
                } catch (SystemException | RollbackException e) {
                    throw failed(e);
                }
            }
        };
    }

    static ThreadTransactions of(TransactionSynchronizationRegistry registry) {
        return new ThreadTransactions() {
            @Override
            public int status() {
                return registry.getTransactionStatus();
            }

            @Override
            public Object current() {
                return registry.getTransactionKey();
            }

            @Override
            public void register(Synchronization told) {
                registry.registerInterposedSynchronization(told);
            }
        };
    }

    private static IllegalStateException failed(Exception e) {
        return new IllegalStateException(
                "The transaction manager does not say what transaction this thread has, so no job was enqueued: " + e,
                e);
    }
}
