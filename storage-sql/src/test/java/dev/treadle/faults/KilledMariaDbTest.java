package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.mariadb.PrivateMariaDb;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.OnePlace;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.mariadb.AdaptedDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** MariaDB is killed again and again while jobs are enqueued and run, and a node with it. */
@Tag("faults")
@Timeout(600)
class KilledMariaDbTest {
    private static final int ROUNDS = Integer.getInteger("treadle.faults.mariadb.rounds", 3);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final AtomicBoolean enough = new AtomicBoolean();
    private final List<JobId> acknowledged = Collections.synchronizedList(new ArrayList<>());

    @Test
    void every_acknowledged_job_is_there_when_the_server_is_back_and_runs_to_its_end() throws Exception {
        assumeTrue(PrivateMariaDb.isInstalled(), "There is no MariaDB on this machine: ./treadle setup installs it.");
        Events events = new Events(folder.resolve("events"));
        // as it comes: innodb_flush_log_at_trx_commit is 1, and what is written is forced to disk
        try (PrivateMariaDb maria = PrivateMariaDb.start("treadle-faults-mariadb", List.of());
                Treadle enqueuer = Treadle.on(SqlStorageProvider.open(maria.url("jobs"), null, null))
                        .enqueueOnly();
                WorkerProcess stays = worker(maria, "stays", events)) {
            stays.awaitReady(events);
            CompletableFuture<Integer> unacknowledged =
                    CompletableFuture.supplyAsync(() -> enqueueUntilEnough(enqueuer));
            try {
                for (int round = 1; round <= ROUNDS; round++) {
                    killServerAndNode(maria, round, events);
                }
            } finally {
                enough.set(true);
            }
            int failed = unacknowledged.get(Faults.LIMIT.toSeconds(), TimeUnit.SECONDS);
            untilAllSucceeded(enqueuer);

            DataSource database = new AdaptedDataSource(maria.url("jobs"));
            StartCheck check = StartCheck.of(database, events);
            System.out.println("KilledMariaDbTest: " + ROUNDS + " kills, " + acknowledged.size() + " acknowledged, "
                    + failed + " not, " + check.lost() + " attempts rescued, " + check.reruns() + " re-runs");
            assertTrue(failed > 0, "some calls met a dead server");
            assertEquals(List.of(), check.startsAfterSuccess());
            assertEquals(List.of(), check.startedMoreOftenThanTold());
            assertTrue(check.reruns() <= check.lost());
            assertEquals(List.of(), OnePlace.violations(database));
            assertTrue(stays.isAlive());
            stays.terminate();
        }
    }

    private void killServerAndNode(PrivateMariaDb maria, int round, Events events) throws Exception {
        try (WorkerProcess victim = worker(maria, "victim" + round, events)) {
            victim.awaitReady(events);
            int before = events.count("END");
            Faults.until("jobs run", () -> events.count("END") >= before + 150);
            maria.kill();
            victim.kill();
            maria.start();
        }
        int before = events.count("START");
        Faults.until("jobs are started again", () -> events.count("START") > before + 50);
    }

    private WorkerProcess worker(PrivateMariaDb maria, String name, Events events) {
        return WorkerProcess.start(
                folder,
                name,
                Map.of("url", maria.url("jobs"), "events", events.file().toString()));
    }

    private void untilAllSucceeded(Treadle enqueuer) {
        for (int from = 0; from < acknowledged.size(); from += 1_000) {
            List<JobId> some = acknowledged.subList(from, Math.min(acknowledged.size(), from + 1_000));
            Faults.until("all acknowledged jobs have succeeded", () -> {
                Map<JobId, StateName> states = enqueuer.jobs().states(new HashSet<>(some));
                assertEquals(some.size(), states.size(), "acknowledged jobs that are there");
                return states.values().stream().allMatch(state -> state == StateName.SUCCEEDED);
            });
        }
    }

    /** Answers how many were not acknowledged. */
    private int enqueueUntilEnough(Treadle enqueuer) {
        int failed = 0;
        for (int n = 0; !enough.get(); n++) {
            try {
                acknowledged.add(enqueuer.jobs().enqueue(FaultWork.good(n, 3)));
            } catch (StorageException e) {
                failed++;
                LockSupport.parkNanos(20_000_000);
            }
            LockSupport.parkNanos(2_000_000);
        }
        return failed;
    }
}
