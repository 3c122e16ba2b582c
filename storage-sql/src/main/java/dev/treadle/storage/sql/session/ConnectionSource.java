package dev.treadle.storage.sql.session;

import java.sql.Connection;
import java.sql.SQLException;

/** Where a call gets its connection. Thread-safe. */
public interface ConnectionSource {
    /** A connection for one call; the caller closes the loan. */
    Loan lend() throws SQLException;

    /** A connection in use by one call. Used by one thread. */
    interface Loan extends AutoCloseable {
        Connection connection();

        /**
         * No later call gets this connection.
         *
         * @param why what became of it
         */
        void discard(SqlFailure why);

        @Override
        void close() throws SQLException;
    }
}
