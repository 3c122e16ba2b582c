package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.StorageException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a MariaDB when a storage is opened on it. */
class MariaDbStartCheckTest {
    private static final String CAREFUL =
            "&transactionIsolation=READ-COMMITTED&sessionVariables=idle_transaction_timeout=5";

    @Test
    void a_url_needs_nothing_else() {
        String url = EmptyDatabases.mariaDbUrl().replace("&socketTimeout=60000", "");
        try (SqlStorageProvider storage = SqlStorageProvider.open(url, null, null)) {
            assertEquals(List.of(), storage.warnings());
        }
    }

    @Test
    void what_a_pool_of_the_user_lacks_is_warned_of_with_its_remedy() {
        String url = EmptyDatabases.mariaDbUrl();
        String careless = url.replace("&socketTimeout=60000", "");
        try (HikariDataSource pool = EmptyDatabases.pool(careless);
                HikariDataSource better = EmptyDatabases.pool(url + CAREFUL)) {
            List<String> warnings = SqlStorageProvider.using(pool).warnings();

            assertEquals(3, warnings.size(), warnings::toString);
            assertTrue(warnings.get(0).contains("set idle_transaction_timeout = 5"), warnings::toString);
            assertTrue(warnings.get(1).contains("Add socketTimeout=60000"), warnings::toString);
            assertTrue(warnings.get(2).contains("transaction isolation to READ COMMITTED"), warnings::toString);
            assertEquals(List.of(), SqlStorageProvider.using(better).warnings());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "&sessionVariables=sql_mode='' | without STRICT_TRANS_TABLES it cuts off",
                "&sessionVariables=sql_mode='STRICT_TRANS_TABLES,EMPTY_STRING_IS_NULL' | sql_mode has EMPTY_STRING_IS_NULL",
                "&sessionVariables=sql_mode='STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES' | sql_mode has NO_BACKSLASH_ESCAPES",
                "&useBulkStmts=true | has useBulkStmts=true"
            })
    void a_pool_on_which_jobs_cannot_be_kept_is_refused(String parameters, String why) {
        try (HikariDataSource pool = EmptyDatabases.pool(EmptyDatabases.mariaDbUrl() + parameters.strip())) {
            String message = assertThrows(IllegalArgumentException.class, () -> SqlStorageProvider.using(pool))
                    .getMessage();

            assertTrue(message.contains(why), message);
            assertEquals(0, tables(pool), "nothing was made");
        }
    }

    @Test
    void connections_in_which_not_every_text_can_be_written_are_refused() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(EmptyDatabases.mariaDbUrl());
        config.setMaximumPoolSize(EmptyDatabases.CONNECTIONS_MAX);
        config.setConnectionInitSql("set names utf8mb3");
        try (HikariDataSource pool = new HikariDataSource(config)) {
            String message = assertThrows(IllegalArgumentException.class, () -> SqlStorageProvider.using(pool))
                    .getMessage();

            assertTrue(message.contains("have the character set utf8mb3"), message);
        }
    }

    @Test
    void a_mode_that_cuts_texts_off_is_mended_on_connections_of_our_own() {
        String url = EmptyDatabases.mariaDbUrl() + "&sessionVariables=sql_mode='ANSI_QUOTES'";
        try (SqlStorageProvider storage = SqlStorageProvider.open(url, null, null)) {
            assertEquals(List.of(), storage.warnings());
        }
    }

    @Test
    void a_server_that_is_read_only_is_refused() {
        String url = EmptyDatabases.mariaDbUrl();
        EmptyDatabases.execute(TestDatabases.mariaDb(), "set global read_only = on");
        try {
            String message = assertThrows(
                            IllegalArgumentException.class, () -> SqlStorageProvider.open(url, null, null))
                    .getMessage();

            assertTrue(message.startsWith("This MariaDB is read-only (read_only=ON)"), message);
        } finally {
            EmptyDatabases.execute(TestDatabases.mariaDb(), "set global read_only = off");
        }
    }

    @Test
    void a_server_that_flushes_late_is_warned_of() {
        EmptyDatabases.execute(TestDatabases.mariaDb(), "set global innodb_flush_log_at_trx_commit = 2");
        try (SqlStorageProvider storage = SqlStorageProvider.open(EmptyDatabases.mariaDbUrl(), null, null)) {
            assertEquals(1, storage.warnings().size(), storage.warnings()::toString);
            assertTrue(storage.warnings().get(0).startsWith("MariaDB has innodb_flush_log_at_trx_commit=2"));
        } finally {
            EmptyDatabases.execute(TestDatabases.mariaDb(), "set global innodb_flush_log_at_trx_commit = 1");
        }
    }

    @ParameterizedTest
    @CsvSource({"MariaDB, 10, 5", "MariaDB, 5, 5"})
    void a_server_without_skip_locked_is_refused(String product, int major, int minor) {
        String message = refusal(Map.of(
                "getDatabaseProductName", product,
                "getDatabaseProductVersion", major + "." + minor + ".29-MariaDB",
                "getDatabaseMajorVersion", major,
                "getDatabaseMinorVersion", minor));

        assertTrue(message.startsWith("This MariaDB is " + major + "." + minor + ".29-MariaDB, and"), message);
        assertTrue(message.contains("10.6 or later"), message);
    }

    @Test
    void mysql_is_refused_with_what_to_use() {
        String message = refusal(Map.of("getDatabaseProductName", "MySQL"));

        assertTrue(message.startsWith("This is MySQL, or a MariaDB behind MySQL's driver"), message);
        assertTrue(message.contains("org.mariadb.jdbc:mariadb-java-client"), message);
    }

    @Test
    void a_user_that_may_make_no_tables_opens_complete_ones_and_is_told_what_to_do_with_others() {
        String url = EmptyDatabases.mariaDbUrl();
        String name = url.replaceAll(".*/(\\w+)\\?.*", "$1");
        String user = "u" + name.substring(1, 20);
        EmptyDatabases.execute(TestDatabases.mariaDb(), "create user " + user + "@'127.0.0.1'");
        EmptyDatabases.execute(
                TestDatabases.mariaDb(),
                "grant select, insert, update, delete on " + name + ".* to " + user + "@'127.0.0.1'");
        String restricted = url.replace("user=treadle", "user=" + user);

        String message = assertThrows(StorageException.class, () -> SqlStorageProvider.open(restricted, null, null))
                .getMessage();
        assertTrue(message.contains("schemaScript(Dialect.MARIADB)"), message);
        assertTrue(message.contains("Schema.VALIDATE"), message);

        SqlStorageProvider.open(url, null, null).close();
        SqlStorageProvider.open(restricted, null, null).close();
    }

    private static int tables(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                Statement count = connection.createStatement();
                var row = count.executeQuery(
                        "select count(*) from information_schema.tables where table_schema = database()")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Why a database is refused that says this of itself. */
    private static String refusal(Map<String, Object> about) {
        DatabaseMetaData told = answering(DatabaseMetaData.class, about);
        Connection connection = answering(Connection.class, Map.of("getMetaData", told));
        DataSource database = answering(DataSource.class, Map.of("getConnection", connection));
        return assertThrows(IllegalArgumentException.class, () -> SqlStorageProvider.using(database))
                .getMessage();
    }

    /** Answers these methods, true to others that ask whether, and null to the rest. */
    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) ->
                        answers.getOrDefault(called.getName(), called.getReturnType() == boolean.class ? true : null)));
    }
}
