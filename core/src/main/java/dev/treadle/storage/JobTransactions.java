package dev.treadle.storage;

import dev.treadle.lifecycle.RunId;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * Transactions in which jobs do their work, and which may end the job's run with it. In such a transaction
 * {@link StorageProvider#in} records the ending. Thread-safe.
 */
public interface JobTransactions {
    /** Lends connections to the storage's database, with autocommit on. */
    DataSource dataSource();

    /**
     * Waits for the right to borrow a connection of {@link #dataSource()}, so that jobs never hold them all and the storage
     * keeps some for its own work. Who waits longest is next.
     */
    Permit permit() throws InterruptedException;

    /** The right to borrow one connection. */
    interface Permit extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * A job begins to work in a transaction of a connection of {@link #dataSource()}, and may take long: lifts the limits
     * of time that the storage sets for its own transactions.
     */
    void workBegins(Connection connection);

    /**
     * The work in a transaction is done, and rows that other nodes may wait for will be locked now until its end: sets the
     * limits of time that the storage's own transactions have.
     */
    void workEnds(Connection connection);

    /**
     * The work in a transaction failed, and the transaction will be rolled back: leaves no limit lifted that would stay on
     * the connection. Throws nothing, as what failed is thrown already.
     */
    void workFailed(Connection connection);

    /**
     * How a run stands when no transaction that ends it is under way. So the answer is final for a transaction whose commit
     * was sent and not answered.
     *
     * @throws StorageException if such a transaction is still under way, or the storage does not answer
     */
    Standing standing(RunId run);

    /** How a run stands. */
    enum Standing {
        /** It holds its lease: no ending of it was committed. */
        HOLDS_LEASE,
        /** Its success was committed. */
        SUCCEEDED,
        /** It lost its lease in another way, or nothing is known of it any more. */
        LOST_LEASE
    }
}
