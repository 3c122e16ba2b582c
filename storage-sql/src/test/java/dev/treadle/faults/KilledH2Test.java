package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobId;
import dev.treadle.job.RetryPolicy;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.OnePlace;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A process that holds jobs in an H2 file, enqueues and runs them, is killed again and again. */
@Tag("faults")
@Timeout(600)
class KilledH2Test {
    private static final int ROUNDS = Integer.getInteger("treadle.faults.h2.rounds", 3);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void every_acknowledged_job_is_there_when_the_file_is_opened_again_and_runs_to_its_end() throws Exception {
        Path file = folder.resolve("jobs");
        Events events = new Events(folder.resolve("events"));
        for (int round = 1; round <= ROUNDS; round++) {
            try (WorkerProcess victim = WorkerProcess.start(folder, "w" + round, options(file, events))) {
                int acknowledged = events.count("ACK") + 100 + 61 * round;
                int ended = events.count("END") + 50;
                victim.awaitReady(events);
                Faults.until(
                        "it enqueues and runs jobs",
                        () -> events.count("ACK") >= acknowledged && events.count("END") >= ended);
                victim.kill();
            }
        }

        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:file:" + file.toAbsolutePath() + ";WRITE_DELAY=0;AUTO_SERVER=TRUE");
        database.setUser("sa");
        database.setPassword("");
        Set<JobId> ids = new HashSet<>(events.acknowledged());
        EventFile resumed = new EventFile(events.file());
        try (resumed;
                Treadle treadle = Treadle.on(SqlStorageProvider.h2File(file))
                        .handler(FaultWork.class, (work, job) -> {
                            resumed.append(Event.line("START", "last", job.jobId(), job.attempt()));
                        })
                        .settings(JobServerSettings.DEFAULT
                                .withDeadAfter(Duration.ofSeconds(2))
                                .withRetries(
                                        RetryPolicy.DEFAULT.withDelays(Duration.ofMillis(100), Duration.ofSeconds(1))))
                        .start()) {
            Map<String, Long> before = treadle.jobs().states(ids).values().stream()
                    .collect(Collectors.groupingBy(String::valueOf, Collectors.counting()));
            assertEquals(ids.size(), treadle.jobs().states(ids).size(), "acknowledged jobs that are there");
            Faults.until(
                    "all have succeeded",
                    () -> treadle.jobs().states(ids).values().stream()
                            .allMatch(state -> state == dev.treadle.job.StateName.SUCCEEDED));
            StartCheck check = StartCheck.of(database, events);
            System.out.println("KilledH2Test: " + ROUNDS + " kills, " + ids.size() + " acknowledged, found as " + before
                    + ", " + check.lost() + " attempts rescued, " + check.reruns() + " re-runs");
            assertEquals(List.of(), check.startsAfterSuccess());
            assertEquals(List.of(), check.startedMoreOftenThanTold());
            assertTrue(check.reruns() <= check.lost());
            assertEquals(List.of(), OnePlace.violations(database));
        }
    }

    private static Map<String, String> options(Path file, Events events) {
        return Map.of("h2", file.toString(), "events", events.file().toString(), "enqueue", "10000000", "millis", "3");
    }
}
