package dev.treadle.benchmark;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The database of one run, and the one connection over which the harness itself asks, so that contenders' connections
 * are theirs alone. For one thread.
 */
final class Database implements AutoCloseable {
    /** Marks the harness's own statements, which are not counted. */
    static final String OURS = "/* bench */";

    /** The URL of a storage in the memory of the process that measures. */
    static final String MEMORY = "memory";

    private final String url;
    private @Nullable Connection connection;

    /** Connects when it is first asked something, so that a process whose start is measured connects only for itself. */
    Database(String url) {
        this.url = url;
    }

    private Connection connection() {
        if (connection == null) {
            try {
                connection = connect();
            } catch (SQLException e) {
                throw new IllegalStateException("Cannot connect to " + url, e);
            }
        }
        return connection;
    }

    String url() {
        return url;
    }

    String user() {
        return isPostgres() ? BenchPostgres.USER : "sa";
    }

    boolean isPostgres() {
        return url.startsWith("jdbc:postgresql:");
    }

    /** A pool as applications have one. */
    HikariDataSource pool(int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user());
        config.setPassword("");
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(600_000);
        return new HikariDataSource(config);
    }

    /** A connection of one's own. */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user(), "");
    }

    void run(String sql) {
        try (Statement statement = connection().createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The number that {@code select <this>} gives. */
    long number(String expression) {
        try (Statement statement = connection().createStatement();
                ResultSet row = statement.executeQuery("select " + OURS + " " + expression)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(expression, e);
        }
    }

    /** The truth of {@code select <this>}. */
    boolean holds(String condition) {
        return number("case when " + condition + " then 1 else 0 end") == 1;
    }

    /**
     * Before the jobs are put in: what was written so far is on disk. Why not after: each page that is touched first
     * after a checkpoint is logged whole, which would charge each job of a short run more than each of a long one.
     */
    void checkpoint() {
        if (isPostgres()) {
            run("checkpoint");
        }
    }

    /** After the jobs were put in and before they are run: nobody pays in his window for what came before it. */
    void settle() {
        if (isPostgres()) {
            run("vacuum analyze");
        }
    }

    @Override
    public void close() {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
