package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The sessions of a node have become read-only, as those of a demoted or fenced server are, and stay open. */
class ReadOnlyServerTest extends Faults {
    private static final Duration DEAD_AFTER = Duration.ofSeconds(3);

    private final String name = "t" + UUID.randomUUID().toString().replace("-", "");
    private final String url = postgres.url().replace("/postgres?", "/" + name + "?");

    @BeforeEach
    void make_the_database() throws SQLException {
        execute("create database " + name);
    }

    @AfterEach
    void drop_the_database() throws SQLException {
        execute("drop database " + name + " with (force)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"own pool", "HikariCP of the user", "no pool"})
    void they_are_thrown_away_and_the_node_goes_on_by_itself(String kind) throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            try (SqlStorageProvider storage = switch (kind) {
                        case "own pool" -> SqlStorageProvider.open(url, null, null);
                        case "no pool" -> SqlStorageProvider.using(unpooled());
                        default -> SqlStorageProvider.using(pool);
                    };
                    Treadle node = Treadle.on(storage)
                            .handler(FaultWork.class, (work, job) -> {})
                            .executor("pool")
                            .settings(JobServerSettings.DEFAULT.withName("node").withDeadAfter(DEAD_AFTER))
                            .start()) {
                node.jobs().enqueue(FaultWork.good(0, 0));
                until("it works", () -> number("select count(*) from treadle_history") == 1);

                execute("alter database " + name + " set default_transaction_read_only = on");
                execute("select pg_terminate_backend(pid, 20000) from pg_stat_activity where datname = '" + name
                        + "' and pid <> pg_backend_pid()");
                until(
                        "the node is silent",
                        () -> number("select extract(epoch from now() - beat_at)::int from treadle_node")
                                >= DEAD_AFTER.toSeconds());
                assertThrows(StorageException.class, () -> node.jobs().enqueue(FaultWork.good(1, 0)));
                List<Integer> readOnly = sessions();

                execute("alter database " + name + " reset default_transaction_read_only");
                until("it takes jobs again", () -> {
                    try {
                        return node.jobs().enqueue(FaultWork.good(2, 0)) != null;
                    } catch (StorageException e) {
                        return false;
                    }
                });
                until("it has done them", () -> number("select count(*) from treadle_history") >= 2);
                until(
                        "it beats",
                        () -> number("select extract(epoch from now() - beat_at)::int from treadle_node")
                                < DEAD_AFTER.toSeconds());
                // also the one that listens, which is never given back
                until("none of the read-only sessions is left", () -> {
                    List<Integer> left = sessions();
                    left.retainAll(readOnly);
                    return left.isEmpty();
                });
            }
        }
    }

    private PGSimpleDataSource unpooled() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }

    private List<Integer> sessions() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select pid from pg_stat_activity where datname = '" + name + "'")) {
            List<Integer> pids = new ArrayList<>();
            while (row.next()) {
                pids.add(row.getInt(1));
            }
            return pids;
        }
    }

    private int number(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
