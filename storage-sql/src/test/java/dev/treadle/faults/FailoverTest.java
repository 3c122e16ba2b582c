package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.postgres.PostgresPair;
import dev.treadle.storage.sql.OnePlace;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The primary ends while jobs are enqueued and run, and its standby is promoted. Nobody restarts anything else. */
@Tag("faults")
@Timeout(3600)
class FailoverTest {
    private static final int ROUNDS = Integer.getInteger("treadle.faults.failover.rounds", 1);
    /** A cluster that somebody gives, with synchronous replication; null for private servers. */
    private static final String GIVEN = System.getProperty("treadle.faults.failover.given");

    private static final int BUSY = 200;
    private static final int LONG_JOBS = 4;
    private static final int LONG_MILLIS = 3_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private FailoverCluster cluster;
    private FailoverLoad load;
    private Events events;
    private FailoverCheck check;

    @AfterEach
    void end() {
        if (load != null) {
            load.close();
        }
        workers.forEach(WorkerProcess::close);
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void with_a_synchronous_standby_no_acknowledged_job_is_lost_and_none_is_recorded_twice() throws Exception {
        begin(GIVEN == null ? FailoverCluster.of(start(true)) : FailoverCluster.given(GIVEN));
        int left = ROUNDS * cluster.ways().size();
        for (int round = 1; round <= ROUNDS; round++) {
            for (String way : cluster.ways()) {
                untilBusy();
                failOver(way, "synchronous, round " + round + ", " + way);
                untilBusy();
                if (--left > 0) {
                    cluster.restore();
                }
            }
        }
        endLoad();

        StartCheck starts = StartCheck.of(database, events);
        Set<JobId> lost = new HashSet<>(load.acknowledged());
        lost.removeAll(check.kept());
        report("synchronous, " + ROUNDS + " times " + cluster.ways() + ": " + load.acknowledgedCount()
                + " acknowledged, " + lost.size() + " of them lost, " + load.failures() + " calls failed, "
                + starts.reruns() + " repeated starts, " + check.ranTwice().size() + " ran to their end twice, "
                + check.recordedTwice().size() + " recorded twice, " + starts.lost() + " attempts rescued");
        assertEquals(Set.of(), lost, "acknowledged and not there");
        whatIsThereIsWhole();
        assertEquals(List.of(), starts.startsAfterSuccess());
        assertEquals(List.of(), starts.startedMoreOftenThanTold());
    }

    @Test
    void an_asynchronous_failover_loses_its_last_moments_and_nothing_else() throws Exception {
        PostgresPair pair = start(false);
        begin(FailoverCluster.of(pair));
        Set<JobId> lost = new HashSet<>();
        for (int round = 1; round <= ROUNDS; round++) {
            untilBusy();
            lost.addAll(loseTheLastMoments(pair, "asynchronous, round " + round, lost));
            untilBusy();
            if (round < ROUNDS) {
                cluster.restore();
            }
        }
        endLoad();

        Set<JobId> gone = new HashSet<>(load.acknowledged());
        gone.removeAll(check.kept());
        report("asynchronous, " + ROUNDS + " kills: " + load.acknowledgedCount() + " acknowledged, " + gone.size()
                + " of them lost, " + check.startedAndUnknown().size() + " ran that the new primary does not know, "
                + check.ranTwice().size() + " ran to their end twice, "
                + check.recordedTwice().size() + " recorded twice");
        assertEquals(lost, gone, "what was lost was lost when the primary ended, and not later");
        whatIsThereIsWhole();
    }

    /** Answers which acknowledged jobs are lost, beside those that were before. */
    private Set<JobId> loseTheLastMoments(PostgresPair pair, String what, Set<JobId> lostBefore) throws Exception {
        Set<JobId> safe = new HashSet<>(load.acknowledged());
        safe.removeAll(lostBefore);
        Set<JobId> recorded = check.succeeded();
        List<JobId> running = load.enqueue(LONG_JOBS, LONG_MILLIS);
        Faults.until("the long jobs run", () -> events.starts().keySet().containsAll(running));
        safe.addAll(running);

        pair.awaitCaughtUp();
        pair.holdBack();
        long heldBackMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        Faults.until("they end well, says the primary", () -> check.succeeded().containsAll(running));
        // a queue that nobody had heard of before
        load.enqueueInto("late");
        untilBusy();
        failOver("SIGKILL", what);
        load.enqueueInto("late");

        Set<JobId> lost = load.acknowledged().stream()
                .filter(job -> !lostBefore.contains(job))
                .collect(Collectors.toSet());
        lost.removeAll(check.kept());
        Faults.until(
                "the long jobs have ended well again", () -> check.succeeded().containsAll(running));
        report(what + ": " + lost.size() + " acknowledged are lost");
        assertFalse(lost.isEmpty(), "the standby was not behind");
        Set<JobId> wronglyLost = new HashSet<>(safe);
        wronglyLost.retainAll(lost);
        assertEquals(Set.of(), wronglyLost, "lost, although the standby had received them");
        assertEquals(
                Set.of(),
                check.startedAfter(heldBackMicros, recorded),
                "run again, although the standby had received their endings");
        assertTrue(check.ranTwice().containsAll(running), "they ran again, because their endings were lost");
        return lost;
    }

    private static PostgresPair start(boolean synchronous) {
        return PostgresPair.start("treadle-failover", "postgres", synchronous, List.of("max_connections=200"));
    }

    private void begin(FailoverCluster with) throws Exception {
        cluster = with;
        database.setUrl(cluster.primaryUrl());
        String url = cluster.url();
        events = new Events(folder.resolve("events"));
        check = new FailoverCheck(database, events);
        load = new FailoverLoad(url);
        check.makeTables();
        for (String name : List.of("one", "two")) {
            workers.add(WorkerProcess.start(
                    folder, name, Map.of("url", url, "events", events.file().toString(), "deadAfter", "5000")));
        }
        workers.forEach(worker -> worker.awaitReady(events));
        load.begin();
    }

    private void failOver(String way, String what) throws Exception {
        long begun = System.nanoTime();
        cluster.strike(way);
        long promoted = System.nanoTime();
        database.setUrl(cluster.primaryUrl());
        int acknowledged = load.acknowledgedCount();
        int ended = check.endings();
        Faults.until("a job is acknowledged", () -> load.acknowledgedCount() > acknowledged);
        long acknowledgedAgain = System.nanoTime();
        Faults.until("an ending is recorded", () -> check.endings() > ended);
        report(what + ": promoted after " + millis(begun, promoted) + " ms; then first acknowledged after "
                + millis(promoted, acknowledgedAgain) + " ms, first ending recorded within "
                + millis(promoted, System.nanoTime()) + " ms");
    }

    private static long millis(long fromNanos, long toNanos) {
        return TimeUnit.NANOSECONDS.toMillis(toNanos - fromNanos);
    }

    private void untilBusy() throws Exception {
        int acknowledged = load.acknowledgedCount();
        int ended = check.endings();
        Faults.until(
                "jobs come and go",
                () -> load.acknowledgedCount() >= acknowledged + BUSY && check.endings() >= ended + BUSY);
    }

    private void endLoad() throws Exception {
        load.end();
        Faults.until("no job waits or runs", () -> check.waiting() == 0);
    }

    /** Whatever was lost: no job is left in part. */
    private void whatIsThereIsWhole() throws Exception {
        assertEquals(Set.of(), check.unfinished(), "there, and not done");
        assertEquals(Set.of(), check.recordedTwice(), "done, and recorded twice");
        assertEquals(Set.of(), check.neverRan(), "recorded, and never run");
        assertEquals(0, check.wrongEffects(), "effects in the transactions of jobs");
        assertEquals(Set.of(), check.halves(load.joined()), "jobs in the transactions of the application");
        assertEquals(List.of(), OnePlace.violations(database));
        workers.forEach(worker -> assertTrue(worker.isAlive(), worker.name()));
        assertEquals(workers.size(), events.count("READY"), "none was started again");
    }

    private static void report(String figures) {
        System.out.println("FailoverTest: " + figures);
    }
}
