package dev.treadle.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.quartz.utils.ConnectionProvider;

/** Connections for Quartz from a pool that outlives it. */
record QuartzConnections(DataSource pool) implements ConnectionProvider {
    @Override
    public Connection getConnection() throws SQLException {
        return pool.getConnection();
    }

    @Override
    public void initialize() {}

    /** Quartz calls this when it ends; the pool is not its own. */
    @Override
    public void shutdown() {}
}
