package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connection pool that a storage opens itself when it is given a URL. */
final class OwnPool {
    /** How long one statement may stay without an answer before its connection counts as lost, in seconds. */
    static final int SOCKET_TIMEOUT_SECONDS = 60;

    /**
     * Plans are made once and kept. One made while a table was empty would go on walking over the whole table when it
     * has grown, so no plan may walk over a table; and no statement is long enough for its compilation to pay.
     */
    private static final String PLAN_BY_INDEX = "set enable_seqscan = off; set jit = off";
    /** Notes such as "exists already, skipping" are for people who type. */
    private static final String SPARE_NOTES = "; set client_min_messages = warning";

    private OwnPool() {}

    static HikariDataSource open(
            String url, @Nullable String user, @Nullable String password, SqlStorageSettings settings)
            throws SQLException {
        // why without a HikariConfig: it is copied field by field through reflection
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName("treadle");
        pool.setJdbcUrl(url);
        pool.setUsername(user);
        pool.setPassword(password);
        pool.setMaximumPoolSize(settings.connectionsMax());
        pool.setConnectionTimeout(settings.connectionWait().toMillis());
        pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        if (url.startsWith("jdbc:postgresql:")) {
            addUnlessInUrl(pool, url, "socketTimeout", String.valueOf(SOCKET_TIMEOUT_SECONDS));
            addUnlessInUrl(pool, url, "tcpKeepAlive", "true");
            addUnlessInUrl(pool, url, "ApplicationName", "treadle");
            pool.setConnectionInitSql(PLAN_BY_INDEX + SPARE_NOTES);
        }
        return opened(pool);
    }

    /** With its first connection made, so that whoever gave a wrong password hears of it here. */
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

    private static void addUnlessInUrl(HikariDataSource pool, String url, String property, String value) {
        if (!url.contains(property + "=")) {
            pool.addDataSourceProperty(property, value);
        }
    }
}
