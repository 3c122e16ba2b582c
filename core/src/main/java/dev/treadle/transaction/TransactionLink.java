package dev.treadle.transaction;

import java.util.Optional;
import javax.sql.DataSource;

/**
 * Finds the transaction that the application has open on the calling thread, so that {@code jobs.enqueue(…)} takes part
 * in it. The links on the path are found by {@link java.util.ServiceLoader}, and
 * {@link dev.treadle.Treadle.Builder#transactionLink} adds others, which are asked first; the first that knows a
 * transaction counts. Implementations are thread-safe and quick: every enqueue asks.
 */
public interface TransactionLink {
    /**
     * The transaction that is open on this thread.
     *
     * @param dataSource what the application's transactions run on, as given to
     *                   {@link dev.treadle.Treadle.Builder#transactionsOf}
     * @return empty if none is open on this thread, or one on another DataSource
     * @throws IllegalStateException if one is open in which nothing can be enqueued; its message says what to do
     */
    Optional<OpenTransaction> current(DataSource dataSource);
}
