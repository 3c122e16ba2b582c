package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.sql.GivenDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many recurring jobs of one second on several processes, of which a random one is killed every few seconds. */
@Tag(GivenDatabase.POSTGRES)
class RecurringFaultsTest extends Faults {
    private static final int RECURRING = Integer.getInteger("treadle.faults.recurring.jobs", 50);
    private static final int WORKERS = Integer.getInteger("treadle.faults.recurring.workers", 3);
    private static final int SECONDS = Integer.getInteger("treadle.faults.recurring.seconds", 20);
    private static final int KILL_EVERY_SECONDS = Integer.getInteger("treadle.faults.recurring.kill", 4);
    private static final long SEED = Long.getLong("treadle.faults.seed", System.nanoTime());

    private final Map<String, Instant> declaredAt = new HashMap<>();

    @Test
    void each_slot_has_one_job_whoever_is_killed() throws Exception {
        Random random = new Random(SEED);
        List<WorkerProcess> alive = new ArrayList<>();
        for (int i = 1; i <= WORKERS; i++) {
            alive.add(readyWorker("w" + i));
        }
        for (int i = 0; i < RECURRING; i++) {
            enqueuer.jobs().recurring("r" + i, Schedule.cron("* * * * * *"), FaultWork.good(i, 1));
        }
        enqueuer.jobs()
                .recurring()
                .list()
                .forEach(job -> declaredAt.put(job.id(), job.standing().since()));
        Instant begin = Instant.now();
        int kills = 0;
        while (Duration.between(begin, Instant.now()).toSeconds() < SECONDS) {
            Awaitility.await()
                    .pollDelay(KILL_EVERY_SECONDS, TimeUnit.SECONDS)
                    .atMost(LIMIT)
                    .until(() -> true);
            alive.remove(random.nextInt(alive.size())).kill();
            kills++;
            alive.add(readyWorker("w" + (WORKERS + kills)));
        }
        until("they have come so far", () -> slots(enqueuer.jobs().recurring().list()) >= RECURRING * SECONDS);
        List<RecurringJob> last = pauseAll();
        int all = slots(last);
        until(all + " jobs have succeeded", () -> count("select count(*) from treadle_history where event = 0") >= all);

        Set<JobId> expectedIds = new HashSet<>();
        last.forEach(job -> slots(job).forEach(slot -> expectedIds.add(job.jobId(slot))));
        assertEquals(all, expectedIds.size());
        assertEquals(expectedIds, jobIds(), "each slot has its job and there is no other");
        assertEquals(all, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
        assertTrue(all >= RECURRING * SECONDS, () -> all + " slots in " + SECONDS + " s");
        report("seed " + SEED + ", " + RECURRING + " recurring jobs, " + kills + " kills, " + all
                + " slots, begun late by " + lateness(last));
    }

    /** Lets no further slot come and gives the recurring jobs as they are then. */
    private List<RecurringJob> pauseAll() {
        var recurring = enqueuer.jobs().recurring();
        recurring.list().forEach(job -> recurring.pause(job.id(), "test", "the end"));
        return recurring.list();
    }

    private int slots(List<RecurringJob> jobs) {
        return jobs.stream().mapToInt(job -> slots(job).size()).sum();
    }

    /** From the first second after it was declared to the last that has a job. */
    private List<Instant> slots(RecurringJob job) {
        List<Instant> slots = new ArrayList<>();
        Schedule schedule = Schedule.parse(job.plan().schedule());
        Instant slot = schedule.next(declaredAt.get(job.id())).orElseThrow();
        while (!slot.isAfter(job.progress().slot())) {
            slots.add(slot);
            slot = schedule.next(slot).orElseThrow();
        }
        return slots;
    }

    private Set<JobId> jobIds() throws Exception {
        Set<JobId> ids = new HashSet<>();
        try (var connection = database.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select id from treadle_job")) {
            while (rows.next()) {
                ids.add(JobId.parse(rows.getString(1)));
            }
        }
        return ids;
    }

    /** Of the first start of each job after its slot, in milliseconds. */
    private String lateness(List<RecurringJob> last) {
        TreeMap<JobId, Long> slotOf = new TreeMap<>();
        last.forEach(job -> slots(job).forEach(slot -> slotOf.put(job.jobId(slot), slot.toEpochMilli() * 1_000)));
        TreeMap<JobId, Long> first = new TreeMap<>();
        events.of("START").forEach(start -> first.merge(start.job(), start.micros(), Math::min));
        List<Long> late = new ArrayList<>();
        first.forEach((job, micros) -> late.add((micros - slotOf.get(job)) / 1_000));
        late.sort(null);
        assertTrue(late.get(0) >= 0, () -> "begun early: " + late.get(0) + " ms");
        return late.get(late.size() / 2) + " ms (p50), " + late.get(late.size() * 99 / 100) + " ms (p99), "
                + late.get(late.size() - 1) + " ms (max)";
    }
}
