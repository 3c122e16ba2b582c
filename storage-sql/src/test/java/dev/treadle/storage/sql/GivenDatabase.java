package dev.treadle.storage.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database that {@code ./treadle test --storage URL} names. Tests that need no more of a database than its URL run
 * there, those tagged {@link #POSTGRES} or {@link #MARIADB}.
 */
public final class GivenDatabase {
    public static final String POSTGRES = "on-given-postgresql";
    public static final String MARIADB = "on-given-mariadb";

    private static final @Nullable String URL = System.getProperty("treadle.test.url");

    private GivenDatabase() {}

    /**
     * @param scheme such as {@code jdbc:mariadb:}
     * @throws IllegalStateException if there are jobs in it, which the tests would delete
     */
    public static Optional<String> url(String scheme) {
        if (URL == null || !URL.startsWith(scheme)) {
            return Optional.empty();
        }
        if (!Checked.IS_FREE) {
            throw new IllegalStateException(Checked.WHY_NOT);
        }
        return Optional.of(URL + (URL.contains("?") ? "&" : "?"));
    }

    /** Once in each JVM, before its first test. */
    private static final class Checked {
        static final String WHY_NOT =
                "The database of treadle.test.url has jobs in it, or cannot be asked, and the tests"
                        + " empty its tables. Give an empty database, with user and password in the URL.";
        /** Says that what is there was left by tests. */
        private static final String MARK = "treadle_tests_were_here";

        static final boolean IS_FREE = isFree();

        private static boolean isFree() {
            try (Connection connection = DriverManager.getConnection(URL)) {
                boolean free = has(connection, MARK) || !has(connection, "treadle_job") || isEmpty(connection);
                if (free) {
                    change(connection, "create table if not exists " + MARK + " (id integer)");
                }
                return free;
            } catch (SQLException e) {
                throw new IllegalStateException(WHY_NOT, e);
            }
        }

        private static boolean has(Connection connection, String table) throws SQLException {
            try (ResultSet tables =
                    connection.getMetaData().getTables(connection.getCatalog(), connection.getSchema(), table, null)) {
                return tables.next();
            }
        }

        private static boolean isEmpty(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select count(*) from treadle_job")) {
                row.next();
                return row.getLong(1) == 0;
            }
        }

        private static void change(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
