package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.Treadle;
import dev.treadle.storage.sql.OnePlace;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Words for tests in which real processes are killed and a real PostgreSQL is stopped. */
@Tag("faults")
@Timeout(600)
abstract class Faults {
    static final Duration LIMIT = Duration.ofSeconds(Long.getLong("treadle.faults.limit.seconds", 180));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    final RealPostgres postgres = RealPostgres.shared();
    final DataSource database = postgres.dataSource();
    private final List<WorkerProcess> workers = new ArrayList<>();
    /** Enqueues from the test's own process, which nobody kills. */
    Treadle enqueuer;

    Events events;

    @BeforeEach
    final void empty() {
        events = new Events(folder.resolve("events"));
        enqueuer = Treadle.on(SqlStorageProvider.using(database)).enqueueOnly();
        TestDatabases.empty(database);
    }

    @AfterEach
    final void end() throws SQLException {
        workers.forEach(WorkerProcess::close);
        enqueuer.close();
        assertEquals(List.of(), OnePlace.violations(database));
    }

    final WorkerProcess worker(String name, String... keysAndValues) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            options.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        options.put("url", postgres.url());
        options.put("events", events.file().toString());
        WorkerProcess worker = WorkerProcess.start(folder, name, options);
        workers.add(worker);
        return worker;
    }

    /** A worker that has begun to look for jobs. */
    final WorkerProcess readyWorker(String name, String... keysAndValues) {
        WorkerProcess worker = worker(name, keysAndValues);
        worker.awaitReady(events);
        return worker;
    }

    static void until(String what, Callable<Boolean> holds) {
        Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(holds);
    }

    final void untilSucceeded(int jobs) {
        until(
                jobs + " jobs have succeeded",
                () -> count("select count(*) from treadle_history where event = 0") >= jobs);
    }

    final int count(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** How many leases a worker holds. */
    final int leasesOf(WorkerProcess worker) throws SQLException {
        return count("select count(*) from treadle_lease l join treadle_node n on n.id = l.node where n.name = '"
                + worker.name() + "'");
    }

    /** How many leases of a worker were rescued. */
    final int rescuedFrom(WorkerProcess worker) throws SQLException {
        return count("select count(*) from treadle_history h join treadle_node n on n.id = h.node"
                + " where h.event = 2 and n.name = '" + worker.name() + "'");
    }

    /** Returns when the database has noticed that a process is dead: then its last statement has taken effect or not. */
    final void untilForgotten(WorkerProcess worker) {
        until(
                "the connections of " + worker.name() + " are gone",
                () -> count("select count(*) from pg_stat_activity where application_name = '" + worker.name() + "'")
                        == 0);
    }

    /** Figures for people who read the build's log. */
    final void report(String figures) {
        System.out.println(getClass().getSimpleName() + ": " + figures);
    }
}
