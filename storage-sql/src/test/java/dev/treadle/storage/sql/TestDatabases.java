package dev.treadle.storage.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.mariadb.PrivateMariaDb;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The databases of the tests: a real PostgreSQL that is started once for all of them, and H2. */
public final class TestDatabases {
    private static final List<String> TABLES = List.of(
            "treadle_job",
            "treadle_ready",
            "treadle_deferred",
            "treadle_lease",
            "treadle_parked",
            "treadle_waiting",
            "treadle_gate",
            "treadle_deadline",
            "treadle_event",
            "treadle_edge",
            "treadle_gate_count",
            "treadle_key",
            "treadle_keyed",
            "treadle_unique",
            "treadle_tally",
            "treadle_history",
            "treadle_audit",
            "treadle_node",
            "treadle_minute",
            "treadle_queue",
            "treadle_recurring",
            "treadle_stop",
            "treadle_progress",
            "treadle_log",
            "treadle_result",
            "treadle_step",
            "treadle_label");

    /** Usual are ten seconds, which is little on a slow machine. */
    static final Duration STARTUP_MAX = Duration.ofMinutes(2);

    private TestDatabases() {}

    /** The connection pool of one PostgreSQL for all tests in this JVM; its process ends with the JVM. */
    public static HikariDataSource postgres() {
        return Postgres.POOL;
    }

    /** The same of one MariaDB, as Debian packages it. */
    static HikariDataSource mariaDb() {
        return MariaDb.POOL;
    }

    static void assumeMariaDb() {
        assumeTrue(PrivateMariaDb.isInstalled(), "There is no MariaDB on this machine: ./treadle setup installs it.");
    }

    /** A database there, with READ COMMITTED, as everybody should have it. */
    static String mariaDbUrl(String database) {
        Optional<String> given = GivenDatabase.url("jdbc:mariadb:");
        if (given.isPresent()) {
            return given.get() + "socketTimeout=60000";
        }
        assumeMariaDb();
        return MariaDb.Own.SERVER.url(database) + "&socketTimeout=60000";
    }

    static HikariDataSource h2Memory(String name) {
        return pool("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa");
    }

    static HikariDataSource h2File(Path file) {
        return pool("jdbc:h2:file:" + file.toAbsolutePath() + ";WRITE_DELAY=0", "sa");
    }

    /** Empties all tables. */
    public static void empty(DataSource database) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            boolean maria = Dialect.of(connection) == Dialect.MARIADB;
            for (String table : TABLES) {
                // why not truncate there: it makes a new file for each table
                statement.execute((maria ? "delete from " : "truncate table ") + table);
            }
            statement.execute("update treadle_retention set node = 0, until = '2000-01-01 00:00:00"
                    + (maria ? "', walked = x'" : "+00', walked = '")
                    + (maria ? "0".repeat(32) : "00000000-0000-0000-0000-000000000000") + "'");
            statement.execute("delete from treadle_lane where id <> 0");
        } catch (SQLException e) {
            throw new IllegalStateException("cannot empty the tables", e);
        }
    }

    static String postgresUrl() {
        return GivenDatabase.url("jdbc:postgresql:")
                .orElseGet(() -> Postgres.Own.SERVER.getJdbcUrl("postgres", "postgres") + "&")
                .concat("socketTimeout=60");
    }

    private static final class MariaDb {
        static final HikariDataSource POOL = pool(mariaDbUrl("jobs"), null);

        /** Started only if no other is given. */
        static final class Own {
            static final PrivateMariaDb SERVER =
                    PrivateMariaDb.start("treadle-tests-mariadb", List.of(PrivateMariaDb.NOTHING_FORCED_TO_DISK));
        }
    }

    /** @param user null if the URL names it */
    private static HikariDataSource pool(String url, @Nullable String user) {
        HikariConfig config = new HikariConfig();
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.setJdbcUrl(url);
        if (user != null) {
            config.setUsername(user);
            config.setPassword("");
        }
        config.setMaximumPoolSize(16);
        return new HikariDataSource(config);
    }

    private static final class Postgres {
        static final HikariDataSource POOL = pool(postgresUrl(), null);

        /** Started only if no other is given. */
        static final class Own {
            static final EmbeddedPostgres SERVER = start();

            private static EmbeddedPostgres start() {
                try {
                    return EmbeddedPostgres.builder()
                            .setServerConfig("max_connections", "500")
                            .setPGStartupWait(STARTUP_MAX)
                            .start();
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot start the embedded PostgreSQL", e);
                }
            }
        }
    }
}
