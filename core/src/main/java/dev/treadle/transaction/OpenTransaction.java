package dev.treadle.transaction;

import java.sql.Connection;

/** A transaction of the application that is under way on the calling thread. Used by that thread. */
public interface OpenTransaction {
    /** The connection of the transaction. It is used before the transaction ends, and never committed or closed. */
    Connection connection();

    /** Runs an action once the transaction has been committed, and never if it is rolled back. */
    void afterCommit(Runnable action);

    /**
     * Whether nothing may be written in it. Calls that write are then refused, and calls that read go to the storage: there
     * is nothing uncommitted for them to see.
     */
    default boolean isReadOnly() {
        return false;
    }
}
