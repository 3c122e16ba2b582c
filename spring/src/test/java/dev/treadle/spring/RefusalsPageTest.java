package dev.treadle.spring;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.spring.Shop.SendReceipt;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/transactions.md says of a bad connection what Treadle says. */
class RefusalsPageTest {
    private final Shop shop = new Shop(Database.POSTGRESQL);
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../docs/transactions.md"));
    }

    @AfterEach
    void close() {
        shop.close();
    }

    private void assertOnPage(String words, Connection connection) {
        String said = assertThrows(
                        RuntimeException.class, () -> shop.jobs().in(connection).enqueue(new SendReceipt("no")))
                .getMessage();
        assertTrue(said.contains(words), said);
        assertTrue(page.contains("| `" + words + "` |"), words);
    }

    @Test
    void bad_connections() throws SQLException {
        Connection closed = shop.database.getConnection();
        closed.close();
        assertOnPage("The connection is closed.", closed);
        try (Connection connection = shop.database.getConnection()) {
            assertOnPage("The connection has autocommit on, so there is no transaction to take part in.", connection);
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertOnPage("The connection is read-only, so no job can be written in its transaction.", connection);
        }
        try (Connection connection = shop.database.getConnection();
                Statement wrong = connection.createStatement()) {
            connection.setAutoCommit(false);
            shop.jobs().in(connection).enqueue(new SendReceipt("first"));
            assertThrows(SQLException.class, () -> wrong.execute("no SQL"));
            assertOnPage("this transaction was aborted by an earlier failure", connection);
        }
    }

    @Test
    void other_databases() throws SQLException {
        try (Shop another = new Shop(Database.POSTGRESQL);
                Connection elsewhere = another.database.getConnection();
                HikariDataSource empty = Database.POSTGRESQL.pool();
                Connection nowhere = empty.getConnection()) {
            elsewhere.setAutoCommit(false);
            assertOnPage(
                    "The connection leads to another database, or to other tables of Treadle, than the storage: no"
                            + " server here would run its jobs.",
                    elsewhere);
            nowhere.setAutoCommit(false);
            assertOnPage("The connection does not see Treadle's tables", nowhere);
            try (Statement still = nowhere.createStatement()) {
                assertTrue(still.execute("select 1"), "its transaction goes on");
            }
        }
    }

    @Test
    void memory() throws SQLException {
        try (Treadle treadle = Treadle.on(new InMemoryStorageProvider()).enqueueOnly();
                Connection connection = shop.database.getConnection()) {
            connection.setAutoCommit(false);
            String said = assertThrows(
                            UnsupportedOperationException.class,
                            () -> treadle.jobs().in(connection).enqueue(new SendReceipt("no")))
                    .getMessage();
            String words = "cannot take part in a transaction of a database";
            assertTrue(said.contains(words), said);
            assertTrue(page.contains("| `" + words + "` |"), words);
        }
    }
}
