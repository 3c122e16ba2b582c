package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.storage.sql.GivenDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers are killed with SIGKILL at random moments while they run short jobs. */
@Tag(GivenDatabase.POSTGRES)
class KilledWorkersTest extends Faults {
    private static final int JOBS = Integer.getInteger("treadle.faults.kill.jobs", 3_000);
    private static final int KILLS = Integer.getInteger("treadle.faults.kill.kills", 5);
    private static final long SEED = Long.getLong("treadle.faults.seed", System.nanoTime());

    @Test
    void no_job_is_lost_and_none_starts_again_after_its_success_was_recorded() throws Exception {
        Random random = new Random(SEED);
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS).mapToObj(n -> FaultWork.good(n, 1 + random.nextInt(20))));
        List<WorkerProcess> alive = new ArrayList<>(List.of(worker("w1"), worker("w2")));
        int inFlight = 0;
        for (int kill = 1; kill <= KILLS; kill++) {
            // so many starts in: a moment that does not depend on how fast the machine is
            int moment = (int) ((kill - 1 + 0.2 + 0.6 * random.nextDouble()) * JOBS / (KILLS + 1));
            until("start number " + moment, () -> events.count("START") >= moment);
            WorkerProcess victim = alive.remove(random.nextInt(alive.size()));
            victim.kill();
            untilForgotten(victim);
            inFlight += leasesOf(victim);
            alive.add(worker("w" + (2 + kill)));
        }
        untilSucceeded(JOBS);
        for (WorkerProcess worker : alive) {
            worker.terminate();
        }

        StartCheck check = StartCheck.of(database, events);
        report("seed " + SEED + ", " + JOBS + " jobs, " + KILLS + " kills with " + inFlight + " jobs in flight, "
                + check.lost() + " attempts rescued, " + check.reruns() + " re-runs, " + check.zombieStarts()
                + " zombie starts");
        assertEquals(JOBS, count("select count(distinct job_id) from treadle_history where event = 0 and next = 3"));
        assertEquals(JOBS, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
        assertEquals(JOBS, events.starts().size());
        assertEquals(List.of(), check.startedMoreOftenThanTold());
        assertEquals(List.of(), check.startsAfterSuccess());
        assertTrue(check.reruns() <= check.lost(), "only what was in flight at a kill runs again");
    }
}
