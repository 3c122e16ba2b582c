package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.storage.StorageException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is dangerous about a database is said when a storage is opened, with its remedy. */
class StartCheckTest {
    private static final String DURABLE = "&options=-c%20synchronous_commit=on";

    private static final String LIMITED = "%20-c%20lock_timeout=8s%20-c%20statement_timeout=50s";

    private static final String FSYNC = "PostgreSQL has fsync=off";

    @TempDir
    private Path folder;

    @Test
    void h2_in_a_file_that_is_written_late_is_warned_of() {
        String url = "jdbc:h2:file:" + folder.resolve("late");
        try (SqlStorageProvider storage = SqlStorageProvider.open(url, "sa", "")) {
            String warning = only(storage);

            assertTrue(warning.startsWith("H2 writes 500 ms late"), warning);
            assertTrue(warning.contains("Add ;WRITE_DELAY=0 to the JDBC URL"), warning);
            assertTrue(warning.contains(";DB_CLOSE_ON_EXIT=FALSE"), warning);
        }
    }

    @Test
    void following_the_remedy_ends_the_warning() {
        String url = "jdbc:h2:file:" + folder.resolve("remedied") + ";WRITE_DELAY=0";
        try (SqlStorageProvider storage = SqlStorageProvider.open(url, "sa", "")) {
            assertEquals(List.of(), storage.warnings());
        }
    }

    @Test
    void our_own_h2_storages_are_not_warned_of() {
        try (SqlStorageProvider file = SqlStorageProvider.h2File(folder.resolve("own"));
                SqlStorageProvider memory = SqlStorageProvider.h2Memory("start-check")) {
            assertEquals(List.of(), file.warnings());
            assertEquals(List.of(), memory.warnings());
        }
    }

    @Test
    void postgresql_without_a_socket_timeout_is_warned_of() {
        String url = EmptyDatabases.postgresUrl() + DURABLE + LIMITED;
        String without = url.replace("&socketTimeout=60", "");
        try (HikariDataSource careless = EmptyDatabases.pool(without);
                HikariDataSource careful = EmptyDatabases.pool(url)) {
            String warning = only(SqlStorageProvider.using(careless));

            assertTrue(warning.contains("without socketTimeout"), warning);
            assertTrue(warning.contains("Add socketTimeout=60"), warning);
            assertEquals(List.of(), durable(SqlStorageProvider.using(careful)));
        }
        try (SqlStorageProvider storage = SqlStorageProvider.open(without, null, null)) {
            assertEquals(List.of(), durable(storage), "a pool of our own sets it");
        }
    }

    @Test
    void each_limit_that_a_pool_of_the_user_lacks_is_warned_of_with_its_remedy() {
        String url = EmptyDatabases.postgresUrl() + DURABLE;
        try (HikariDataSource unlimited = EmptyDatabases.pool(url);
                HikariDataSource limited = EmptyDatabases.pool(url + LIMITED)) {
            List<String> warnings = durable(SqlStorageProvider.using(unlimited));
            assertEquals(2, warnings.size(), warnings::toString);
            assertTrue(warnings.get(0).contains("alter role … set lock_timeout = '8s'"), warnings::toString);
            assertTrue(warnings.get(1).contains("alter role … set statement_timeout = '50s'"), warnings::toString);

            assertEquals(List.of(), durable(SqlStorageProvider.using(limited)));
        }
    }

    @Test
    void several_hosts_of_which_not_the_primary_is_asked_for_are_warned_of() {
        String both = EmptyDatabases.postgresUrl().replaceFirst("//([^/]+)/", "//$1,$1/") + DURABLE + LIMITED;
        try (SqlStorageProvider any = SqlStorageProvider.open(both, null, null);
                SqlStorageProvider primary = SqlStorageProvider.open(both + "&targetServerType=primary", null, null)) {
            String warning = only(any);

            assertTrue(warning.startsWith("The JDBC URL names several hosts"), warning);
            assertTrue(warning.endsWith("Add targetServerType=primary."), warning);
            assertEquals(List.of(), durable(primary));
        }
    }

    @Test
    void a_pool_with_too_few_connections_to_set_some_aside_is_warned_of() {
        try (HikariDataSource small = EmptyDatabases.pool("jdbc:h2:mem:small;DB_CLOSE_DELAY=-1;USER=sa")) {
            small.setMaximumPoolSize(4);
            String warning = only(SqlStorageProvider.using(small));

            assertTrue(warning.startsWith("The pool has 4 connections, too few"), warning);
            assertTrue(warning.endsWith("Let it have 5 or more."), warning);
        }
    }

    @Test
    void a_database_that_is_not_in_utf8_is_warned_of() {
        String name = "latin" + System.nanoTime();
        EmptyDatabases.execute(
                TestDatabases.postgres(),
                "create database " + name + " encoding 'LATIN1' locale 'C' template template0");
        String url = TestDatabases.postgresUrl().replace("/postgres?", "/" + name + "?") + DURABLE;
        try (SqlStorageProvider storage = SqlStorageProvider.open(url, null, null)) {
            String warning = only(storage);

            assertTrue(warning.startsWith("This PostgreSQL database is not in UTF8"), warning);
        }
    }

    @Test
    void a_missing_driver_is_named() {
        String message = assertThrows(
                        IllegalArgumentException.class,
                        () -> SqlStorageProvider.open("jdbc:mysql://here/db", "me", "secret"))
                .getMessage();

        assertTrue(message.startsWith("There is no JDBC driver for jdbc:mysql://here/db on the class path."), message);
        assertTrue(message.contains("Treadle knows PostgreSQL"), message);
    }

    @Test
    void a_role_that_may_make_no_tables_opens_complete_ones_and_is_told_what_to_do_with_others() {
        String url = EmptyDatabases.postgresUrl();
        String role = "role" + System.nanoTime();
        try (HikariDataSource admin = EmptyDatabases.pool(url)) {
            EmptyDatabases.execute(admin, "create role " + role + " login");
            EmptyDatabases.execute(admin, "revoke create on schema public from public");
            String restricted = url.replace("user=postgres", "user=" + role);
            String message = assertThrows(StorageException.class, () -> SqlStorageProvider.open(restricted, null, null))
                    .getMessage();
            assertTrue(message.contains("schemaScript(Dialect.POSTGRESQL)"), message);
            assertTrue(message.contains("Schema.VALIDATE"), message);

            SqlStorageProvider.open(url, null, null).close();
            EmptyDatabases.execute(
                    admin, "grant select, insert, update, delete on all tables in schema public to " + role);
            SqlStorageProvider.open(restricted, null, null).close();
        }
    }

    @Test
    void postgresql_that_commits_before_it_has_written_is_warned_of() {
        String url = EmptyDatabases.postgresUrl() + DURABLE.replace("=on", "=off");
        try (SqlStorageProvider storage = SqlStorageProvider.open(url, null, null)) {
            String warning = only(storage);

            assertTrue(warning.startsWith("PostgreSQL has synchronous_commit=off"), warning);
            assertTrue(warning.contains("set synchronous_commit = on"), warning);
        }
    }

    @Test
    void postgresql_that_never_makes_sure_that_it_has_written_is_warned_of() {
        List<String> warnings =
                SqlStorageProvider.using(TestDatabases.postgres()).warnings();

        assertTrue(
                warnings.stream().anyMatch(warning -> warning.startsWith(FSYNC) && warning.contains("Set fsync=on")),
                warnings::toString);
    }

    @Test
    void a_read_only_replica_is_refused() throws IOException {
        // a standby that has lost its primary: a server stopped cleanly, started again as one
        Path data = folder.resolve("standby");
        embedded(data).close();
        awaitEndOf(data);
        Files.createFile(data.resolve("standby.signal"));
        try (EmbeddedPostgres standby = embedded(data)) {
            String url = standby.getJdbcUrl("postgres", "postgres");
            String message = assertThrows(
                            IllegalArgumentException.class, () -> SqlStorageProvider.open(url, null, null))
                    .getMessage();

            assertTrue(message.startsWith("This PostgreSQL is a read-only replica"), message);
            assertTrue(message.contains("targetServerType=primary"), message);
        }
        awaitEndOf(data);
    }

    @Test
    void a_database_that_is_not_known_is_refused() {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> SqlStorageProvider.using(databaseCalled("SQLite")))
                .getMessage();

        assertEquals(
                "Treadle does not know the database 'SQLite'. It knows PostgreSQL, MariaDB and H2: use a DataSource of"
                        + " one of them.",
                message);
    }

    @Test
    void a_database_that_does_not_answer_is_told_without_the_password() {
        SqlStorageSettings impatient = SqlStorageSettings.DEFAULT.withConnectionWait(Duration.ofMillis(250));
        String message = assertThrows(
                        StorageException.class,
                        () -> SqlStorageProvider.open(
                                "jdbc:postgresql://localhost:1/none?password=secret", "me", "secret", impatient))
                .getMessage();

        assertTrue(message.startsWith("Cannot connect to jdbc:postgresql://localhost:1/none: "), message);
        assertTrue(!message.contains("secret"), message);
    }

    private static EmbeddedPostgres embedded(Path data) throws IOException {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setPGStartupWait(TestDatabases.STARTUP_MAX)
                .start();
    }

    /** Closing gives it five seconds to end; a slow machine may take longer. */
    private static void awaitEndOf(Path data) {
        Awaitility.await().atMost(TestDatabases.STARTUP_MAX).until(() -> !Files.exists(data.resolve("postmaster.pid")));
    }

    private static String only(SqlStorageProvider storage) {
        List<String> warnings = durable(storage);
        assertEquals(1, warnings.size(), warnings::toString);
        return warnings.get(0);
    }

    /** Without the one that every storage on the PostgreSQL of the tests gets: it need not survive a crash. */
    private static List<String> durable(SqlStorageProvider storage) {
        return storage.warnings().stream()
                .filter(warning -> !warning.startsWith(FSYNC))
                .toList();
    }

    private static DataSource databaseCalled(String product) {
        DatabaseMetaData about = answering(DatabaseMetaData.class, "getDatabaseProductName", product);
        return answering(DataSource.class, "getConnection", answering(Connection.class, "getMetaData", about));
    }

    /** Answers one method, true to others that ask whether, and null to the rest. */
    private static <T> T answering(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) -> called.getName().equals(method)
                        ? answer
                        : called.getReturnType() == boolean.class ? true : null));
    }
}
