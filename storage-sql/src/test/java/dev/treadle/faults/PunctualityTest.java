package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * How late jobs begin that have a time, on a PostgreSQL that syncs: recurring ones and scheduled ones. Never early; how late is
 * reported, and demanded only where nothing else uses the machine: -Dtreadle.punctual.p99=50.
 */
class PunctualityTest extends Faults {
    private static final int SECONDS = Integer.getInteger("treadle.punctual.seconds", 6);
    private static final int RECURRING = Integer.getInteger("treadle.punctual.recurring", 20);
    private static final int SCHEDULED_PER_SECOND = Integer.getInteger("treadle.punctual.scheduled", 20);
    private static final int NODES = Integer.getInteger("treadle.punctual.nodes", 2);
    /** How long it may take to schedule them all. */
    private static final int LEAD_SECONDS = Integer.getInteger("treadle.punctual.lead", 10);

    private static final long P99_MILLIS = Long.getLong("treadle.punctual.p99", Long.MAX_VALUE);

    private final Map<JobId, Instant> begun = new ConcurrentHashMap<>();
    private final Map<JobId, Instant> due = new ConcurrentHashMap<>();

    @Test
    void no_job_begins_before_its_time_and_few_much_later() {
        List<Treadle> nodes = IntStream.range(0, NODES).mapToObj(i -> node()).toList();
        try {
            scheduled();
            recurring(nodes.get(0));
        } finally {
            nodes.forEach(Treadle::close);
        }
    }

    private Treadle node() {
        return Treadle.on(SqlStorageProvider.open(postgres.url(), null, null))
                .handler(FaultWork.class, this::run)
                .start();
    }

    private Void run(FaultWork work, JobContext job) {
        begun.putIfAbsent(job.jobId(), Instant.now());
        return null;
    }

    /** Enqueued from another process's point of view: by a storage of its own, some seconds ahead. */
    private void scheduled() {
        Random random = new Random(7);
        Instant start = Instant.now().plusSeconds(LEAD_SECONDS);
        for (int i = 0; i < SECONDS * SCHEDULED_PER_SECOND; i++) {
            Instant at = start.plusMillis(random.nextInt(SECONDS * 1_000));
            due.put(enqueuer.jobs().schedule(at, FaultWork.good(i, 0)), at);
        }
        boolean inTime = Instant.now().isBefore(start);
        // how late they begin says something only then; that none begins early must hold on the slowest machine
        assertTrue(inTime || P99_MILLIS == Long.MAX_VALUE, "all are kept before the first is due");
        until("all scheduled jobs have begun", () -> begun.keySet().containsAll(due.keySet()));
        report(NODES + " nodes, scheduled jobs, " + SCHEDULED_PER_SECOND + "/s: " + lateness()
                + (inTime ? "" : "; some were kept after they were due"));
        begun.clear();
        due.clear();
    }

    private Map<JobId, Instant> claims() {
        Map<JobId, Instant> claims = new HashMap<>();
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select job_id, claimed_at from treadle_history")) {
            while (rows.next()) {
                claims.put(
                        JobId.parse(rows.getString(1)),
                        rows.getObject(2, java.time.OffsetDateTime.class).toInstant());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        claims.keySet().retainAll(due.keySet());
        return claims;
    }

    private void recurring(Treadle node) {
        for (int i = 0; i < RECURRING; i++) {
            node.jobs().recurring("r" + i, Schedule.every(Duration.ofSeconds(1)), FaultWork.good(i, 0));
        }
        int expected = RECURRING * SECONDS;
        until("recurring jobs have begun", () -> begun.size() >= expected);
        var recurring = node.jobs().recurring();
        recurring.list().forEach(job -> recurring.pause(job.id(), "test", null));
        until(
                "the last ones have begun",
                () -> recurring.list().stream()
                        .allMatch(job ->
                                begun.containsKey(job.jobId(job.progress().slot()))));
        recurring.list().forEach(job -> {
            Instant slot = job.progress().slot();
            for (int back = 0; back < SECONDS; back++) {
                JobId id = job.jobId(slot.minusSeconds(back));
                if (begun.containsKey(id)) {
                    due.put(id, slot.minusSeconds(back));
                }
            }
        });
        report(NODES + " nodes, " + RECURRING + " recurring jobs of one second: " + lateness());
    }

    /** Where the time went: until the claim, by the database's clock, and from there to the start. */
    private String lateness() {
        List<Double> late = new ArrayList<>();
        due.forEach((job, at) -> late.add(Duration.between(at, begun.get(job)).toNanos() / 1e6));
        late.sort(null);
        double p99 = late.get(late.size() * 99 / 100);
        assertTrue(late.get(0) >= 0, () -> "begun early by " + late.get(0) + " ms");
        assertTrue(p99 <= P99_MILLIS, () -> "begun late by " + p99 + " ms at p99");
        List<Double> claimed = new ArrayList<>();
        claims().forEach((job, at) ->
                claimed.add(Duration.between(due.get(job), at).toNanos() / 1e6));
        claimed.sort(null);
        return String.format(
                "late by %.1f ms (p50), %.1f ms (p99), %.1f ms (max) of %d; claimed %.1f ms (p50), %.1f ms (p99) after",
                late.get(late.size() / 2),
                p99,
                late.get(late.size() - 1),
                late.size(),
                claimed.get(claimed.size() / 2),
                claimed.get(claimed.size() * 99 / 100));
    }
}
