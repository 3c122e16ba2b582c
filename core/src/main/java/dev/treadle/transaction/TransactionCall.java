package dev.treadle.transaction;

import java.sql.Connection;

/**
 * What is done in a transaction.
 *
 * @param <R> what it returns
 * @param <X> what it throws
 */
@FunctionalInterface
public interface TransactionCall<R, X extends Exception> {
    /**
     * Does it.
     *
     * @param connection the connection of the transaction; the caller that began the transaction commits it and closes this
     */
    R in(Connection connection) throws X;
}
