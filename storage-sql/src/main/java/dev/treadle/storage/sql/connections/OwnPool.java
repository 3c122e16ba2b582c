package dev.treadle.storage.sql.connections;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Duration;

/** The connection pool that a storage opens itself when it is given a URL. */
final class OwnPool {
    /** A connection to a server that was not used for so long is closed, in milliseconds. */
    private static final long IDLE_MILLIS_MAX = 30_000;

    private OwnPool() {}

    static HikariDataSource open(DirectConnections direct, int connectionsMax, Duration connectionWait)
            throws SQLException {
        // why without a HikariConfig: it is copied field by field through reflection
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName("treadle");
        pool.setDataSource(direct);
        pool.setMaximumPoolSize(connectionsMax);
        if (direct.isServer()) {
            // a server has a hundred of them for all its clients; those of H2 cost nothing, and its databases in memory
            // are
            // gone with the last
            pool.setMinimumIdle(0);
            pool.setIdleTimeout(IDLE_MILLIS_MAX);
        }
        pool.setConnectionTimeout(connectionWait.toMillis());
        return opened(pool);
    }

    /** With its first connection made, so that a wrong password is reported here. */
    private static HikariDataSource opened(HikariDataSource pool) throws SQLException {
        boolean opened = false;
        try {
            pool.getConnection().close();
            opened = true;
            return pool;
        } finally {
            if (!opened) {
                pool.close();
            }
        }
    }
}
