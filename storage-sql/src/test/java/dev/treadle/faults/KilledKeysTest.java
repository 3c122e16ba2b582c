package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.storage.sql.GivenDatabase;
import dev.treadle.storage.sql.KeyCounts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers are killed with SIGKILL at random moments while they run jobs that have to keep their order within each key. */
@Tag(GivenDatabase.POSTGRES)
class KilledKeysTest extends Faults {
    private static final int KEYS = Integer.getInteger("treadle.faults.keys", 150);
    private static final int ROUNDS = 3;
    private static final int EACH = 4;
    private static final int KILLS = Integer.getInteger("treadle.faults.keys.kills", 4);
    private static final long SEED = Long.getLong("treadle.faults.seed", System.nanoTime());

    /** Of each job: its key and its number within that. */
    private record Place(int key, int number) {}

    @Test
    void each_key_keeps_its_order_and_none_sticks() throws Exception {
        Random random = new Random(SEED);
        Map<JobId, Place> places = new HashMap<>();
        int jobs = KEYS * ROUNDS * EACH;
        enqueueRound(0, random, places);
        enqueueRound(1, random, places);
        List<WorkerProcess> alive = new ArrayList<>(List.of(worker("w1"), worker("w2")));
        // the last come while the first run
        enqueueRound(2, random, places);
        for (int kill = 1; kill <= KILLS; kill++) {
            int moment = (int) ((kill - 1 + 0.2 + 0.6 * random.nextDouble()) * jobs / (KILLS + 1));
            until("start number " + moment, () -> events.count("START") >= moment);
            // one that has begun to work: on a slow machine the others may just start
            AtomicReference<WorkerProcess> victim = new AtomicReference<>();
            until("somebody works", () -> {
                victim.set(alive.get(random.nextInt(alive.size())));
                return leasesOf(victim.get()) > 0;
            });
            victim.get().kill();
            alive.remove(victim.get());
            untilForgotten(victim.get());
            alive.add(worker("w" + (2 + kill)));
        }
        untilSucceeded(jobs);
        for (WorkerProcess worker : alive) {
            worker.terminate();
        }

        StartCheck check = StartCheck.of(database, events);
        report("seed " + SEED + ", " + jobs + " jobs of " + KEYS + " keys, " + KILLS + " kills, " + check.lost()
                + " attempts rescued, " + check.reruns() + " re-runs");
        assertTrue(check.lost() > 0, "a kill hit somebody");
        assertEquals(List.of(), outOfOrder(places));
        assertEquals(List.of(), check.startsAfterSuccess());
        assertEquals(List.of(), KeyCounts.violations(database));
        assertEquals(0, count("select count(*) from treadle_key"), "keys in use");
        assertEquals(0, count("select count(*) from treadle_keyed"), "jobs that wait for their key");
    }

    private void enqueueRound(int round, Random random, Map<JobId, Place> places) {
        for (int key = 0; key < KEYS; key++) {
            List<JobId> ids = enqueuer.jobs()
                    .with(JobOptions.DEFAULT.withKey(KeyRule.mailbox("key " + key)))
                    .enqueueAll(IntStream.range(0, EACH).mapToObj(n -> FaultWork.good(n, 5 + random.nextInt(35))));
            for (JobId id : ids) {
                places.put(id, new Place(key, round * EACH + ids.indexOf(id)));
            }
        }
    }

    /** Jobs that succeeded, or were first started, before the one that stands before them in their key had succeeded. */
    private List<String> outOfOrder(Map<JobId, Place> places) throws SQLException {
        Map<Place, Long> succeeded = new HashMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select job_id, (extract(epoch from at) * 1000000)::bigint from treadle_history where event = 0")) {
            while (row.next()) {
                succeeded.put(places.get(JobId.of(row.getObject(1, UUID.class))), row.getLong(2));
            }
        }
        Map<Place, Long> started = new HashMap<>();
        events.of("START").forEach(start -> started.merge(places.get(start.job()), start.micros(), Math::min));
        List<String> wrong = new ArrayList<>();
        succeeded.forEach((place, at) -> {
            Place before = new Place(place.key(), place.number() - 1);
            long earlier = succeeded.getOrDefault(before, Long.MIN_VALUE);
            if (earlier >= at || started.get(place) < earlier) {
                wrong.add(
                        place + " started " + started.get(place) + " and ended " + at + ", the one before " + earlier);
            }
        });
        return wrong;
    }
}
