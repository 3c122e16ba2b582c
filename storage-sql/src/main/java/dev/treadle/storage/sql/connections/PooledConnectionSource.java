package dev.treadle.storage.sql.connections;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.sql.session.ConnectionSource;
import dev.treadle.storage.sql.session.SqlFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Borrows a connection of a DataSource for each call. Thread-safe. */
public final class PooledConnectionSource implements ConnectionSource {
    private static final Logger LOG = LoggerFactory.getLogger(PooledConnectionSource.class);

    private final DataSource source;
    private final @Nullable HikariDataSource hikari;
    private final boolean isOurs;

    /** @param isOurs whether the DataSource was opened by the storage, so that all of its connections are the storage's */
    public PooledConnectionSource(DataSource source, boolean isOurs) {
        this.source = source;
        this.hikari = hikariOf(source);
        this.isOurs = isOurs;
    }

    /** The HikariCP pool that a DataSource is; null if it is none. */
    static @Nullable HikariDataSource hikariOf(DataSource source) {
        if (source instanceof HikariDataSource pool) {
            return pool;
        }
        try {
            return source.isWrapperFor(HikariDataSource.class) ? source.unwrap(HikariDataSource.class) : null;
        } catch (SQLException | RuntimeException e) {
            // a DataSource need not know what it wraps
            return null;
        }
    }

    @Override
    public Loan lend() throws SQLException {
        Connection connection =
                source == hikari && hikari.isAutoCommit() ? clean(hikari) : OwnedConnections.free(source);
        return new Loan() {
            @Override
            public Connection connection() {
                return connection;
            }

            @Override
            public void discard(SqlFailure why) {
                PooledConnectionSource.this.discard(connection, why);
            }

            @Override
            public void close() throws SQLException {
                connection.close();
            }
        };
    }

    /** A pool that lends with autocommit on, and this one off: it was left in a transaction that could not be ended. */
    private static Connection clean(HikariDataSource pool) throws SQLException {
        Connection connection = pool.getConnection();
        boolean clean = false;
        try {
            clean = connection.getAutoCommit();
            if (!clean) {
                throw new SQLTransientConnectionException(
                        "The pool lent a connection that is in the middle of a transaction. It is thrown away.");
            }
            return connection;
        } finally {
            if (!clean) {
                pool.evictConnection(connection);
                connection.close();
            }
        }
    }

    private void discard(Connection connection, SqlFailure why) {
        if (hikari == null || why == SqlFailure.CONNECTION_LOST) {
            // first of all: without memory, the pool may fail to throw it away
            abort(connection);
        }
        if (hikari == null) {
            return;
        }
        hikari.evictConnection(connection);
        if (isOurs && why == SqlFailure.CONNECTION_USELESS) {
            // the others lead to the same server, and each would cost a call its failure
            hikari.getHikariPoolMXBean().softEvictConnections();
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A useless connection could not be ended; its pool has to find that out.", e);
        }
    }
}
