package dev.treadle.storage.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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

    private OwnPool() {}

    static HikariDataSource open(
            String url, @Nullable String user, @Nullable String password, SqlStorageSettings settings) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("treadle");
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(settings.connectionsMax());
        config.setConnectionTimeout(settings.connectionWait().toMillis());
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        if (url.startsWith("jdbc:postgresql:")) {
            addUnlessInUrl(config, url, "socketTimeout", String.valueOf(SOCKET_TIMEOUT_SECONDS));
            addUnlessInUrl(config, url, "tcpKeepAlive", "true");
            addUnlessInUrl(config, url, "ApplicationName", "treadle");
            config.setConnectionInitSql(PLAN_BY_INDEX);
        }
        return new HikariDataSource(config);
    }

    private static void addUnlessInUrl(HikariConfig config, String url, String property, String value) {
        if (!url.contains(property + "=")) {
            config.addDataSourceProperty(property, value);
        }
    }
}
