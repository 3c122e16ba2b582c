package dev.treadle.storage.sql.connections;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens a connection to a URL for each that is asked for, set up as Treadle wants it. Thread-safe. */
public final class DirectConnections implements DataSource {
    /** How long one statement may stay without an answer before its connection counts as lost, in seconds. */
    public static final int SOCKET_TIMEOUT_SECONDS = 60;

    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final String MARIADB = "jdbc:mariadb:";
    private static final String H2 = "jdbc:h2:";

    private final String url;
    private final Driver driver;
    private final Properties properties = new Properties();
    private final SetUp setUp;

    /**
     * @param setUp is run on each new connection to a server
     * @throws IllegalArgumentException naming the driver that is missing
     */
    public DirectConnections(String url, @Nullable String user, @Nullable String password, SetUp setUp) {
        this.url = url;
        this.setUp = setUp;
        this.driver = driver(url);
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        if (isPostgres()) {
            addUnlessInUrl("socketTimeout", String.valueOf(SOCKET_TIMEOUT_SECONDS));
            addUnlessInUrl("tcpKeepAlive", "true");
            addUnlessInUrl("ApplicationName", "treadle");
        } else if (url.startsWith(MARIADB)) {
            addUnlessInUrl("socketTimeout", String.valueOf(SOCKET_TIMEOUT_SECONDS * 1_000));
        }
    }

    private static Driver driver(String url) {
        try {
            return DriverManager.getDriver(url);
        } catch (SQLException e) {
            String known = url.startsWith(POSTGRESQL)
                    ? "Add org.postgresql:postgresql to your dependencies"
                    : url.startsWith(MARIADB)
                            ? "Add org.mariadb.jdbc:mariadb-java-client to your dependencies"
                            : url.startsWith(H2)
                                    ? "Add com.h2database:h2 to your dependencies"
                                    : "Treadle knows PostgreSQL (jdbc:postgresql:…), MariaDB (jdbc:mariadb:…) and H2"
                                            + " (jdbc:h2:…)";
            throw new IllegalArgumentException(
                    "There is no JDBC driver for " + withoutParameters(url) + " on the class path. " + known + ".", e);
        }
    }

    /** What each new connection to a server is told. */
    public interface SetUp {
        void of(Connection connection) throws SQLException;
    }

    /** A URL's parameters may hold a password. */
    public static String withoutParameters(String url) {
        return url.split("[?;]", 2)[0];
    }

    private boolean isPostgres() {
        return url.startsWith(POSTGRESQL);
    }

    /** Whether the database runs in a process of its own, which has only so many connections for all its clients. */
    boolean isServer() {
        return isPostgres() || url.startsWith(MARIADB);
    }

    private void addUnlessInUrl(String property, String value) {
        if (!url.contains(property + "=")) {
            properties.setProperty(property, value);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = driver.connect(url, properties);
        if (connection == null) {
            throw new SQLException("The driver " + driver.getClass().getName() + " does not take this URL.");
        }
        boolean isSetUp = false;
        try {
            if (isServer()) {
                setUp.of(connection);
            } else {
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
            isSetUp = true;
            return connection;
        } finally {
            if (!isSetUp) {
                connection.close();
            }
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("These connections have one user.");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // the driver logs by itself
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // why not the DriverManager's: that is for everything in this process; the driver's connectTimeout holds
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("There is none.");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (isWrapperFor(type)) {
            return type.cast(this);
        }
        throw new SQLException("This is no " + type.getName() + ".");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
