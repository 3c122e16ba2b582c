package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PostgreSQL goes away for longer than a node may be silent, and comes back, while jobs run and are enqueued. */
class DatabaseAwayTest extends Faults {
    private static final Duration AWAY = Duration.ofMillis(Long.getLong("treadle.faults.away.millis", 5_000));
    private static final int LONG_JOBS = 6;

    private final AtomicBoolean enough = new AtomicBoolean();
    private final List<JobId> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private boolean away;

    @AfterEach
    void come_back() {
        enough.set(true);
        if (away) {
            postgres.start();
        }
    }

    /** @param waitMillis how long calls wait for a connection: through the whole outage, or not, so that they fail */
    @ParameterizedTest
    @CsvSource({"fast, 30000", "immediate, 1000"})
    void a_server_goes_on_by_itself_and_records_what_ended_meanwhile(String mode, String waitMillis) throws Exception {
        WorkerProcess server = readyWorker("server", "workers", "12", "wait", waitMillis);
        CompletableFuture<Integer> unacknowledged = CompletableFuture.supplyAsync(this::enqueueUntilEnough);
        until("it is well on its way", () -> events.count("END") >= 200);
        Set<JobId> running = new HashSet<>(enqueuer.jobs()
                .enqueueAll(IntStream.range(0, LONG_JOBS).mapToObj(n -> FaultWork.good(n, (int) AWAY.toMillis() / 2))));
        acknowledged.addAll(running);
        until("the long jobs run", () -> started(running) == LONG_JOBS);

        away = true;
        postgres.stop(mode);
        long down = System.nanoTime();
        until("the long jobs end", () -> events.count("END", event -> running.contains(event.job())) == LONG_JOBS);
        until("long enough", () -> System.nanoTime() - down > AWAY.toNanos());
        postgres.start();
        away = false;
        long up = System.nanoTime();
        int before = events.count("START");
        until("the server starts jobs again", () -> events.count("START") > before);
        long resumedMillis = (System.nanoTime() - up) / 1_000_000;
        int acknowledgedWhenUp = acknowledged.size();
        until("more is enqueued", () -> acknowledged.size() >= acknowledgedWhenUp + 50);
        enough.set(true);
        int failed = unacknowledged.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        until(
                "nothing is left",
                () -> count("select (select count(*) from treadle_ready)"
                                + " + (select count(*) from treadle_lease) + (select count(*) from treadle_deferred)")
                        == 0);

        report(mode + " stop, calls wait " + waitMillis + " ms, away for " + AWAY.toSeconds() + " s: "
                + acknowledged.size() + " acknowledged, " + failed + " not; first start " + resumedMillis
                + " ms after PostgreSQL was back");
        Set<JobId> succeeded = events.of("END").map(Event::job).collect(Collectors.toSet());
        assertTrue(succeeded.containsAll(acknowledged), "every acknowledged job ended");
        assertEquals(List.of(), startedTwice(), "none ran twice: nobody else rescued it");
        assertEquals(
                count("select count(*) from treadle_job"),
                count("select count(*) from treadle_history where event = 0 and attempt = 1"),
                "each attempt was recorded as what it was");
        assertTrue(server.isAlive());
        assertEquals(1, events.count("READY"), "no restart");
        server.terminate();
    }

    private List<JobStory> startedTwice() {
        return events.starts().entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(entry -> enqueuer.jobs().find(entry.getKey()).orElseThrow())
                .toList();
    }

    private int started(Set<JobId> ids) {
        return events.count("START", event -> ids.contains(event.job()));
    }

    /** Answers how many were not acknowledged. */
    private int enqueueUntilEnough() {
        int failed = 0;
        for (int n = 0; !enough.get(); n++) {
            try {
                acknowledged.add(enqueuer.jobs().enqueue(FaultWork.good(n, 5)));
            } catch (StorageException e) {
                failed++;
                LockSupport.parkNanos(50_000_000);
            }
            LockSupport.parkNanos(3_000_000);
        }
        return failed;
    }
}
