package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.storage.sql.GivenDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Workers are killed with SIGKILL at random moments while they spawn, run and join a tree of jobs, and another that runs
 * after it.
 */
@Tag(GivenDatabase.POSTGRES)
class KilledTreeTest extends Faults {
    private static final int DEPTH = 3;
    private static final int WIDTH = Integer.getInteger("treadle.faults.tree.width", 8);
    private static final int KILLS = Integer.getInteger("treadle.faults.tree.kills", 4);
    private static final int WORKERS = 3;
    private static final long SEED = Long.getLong("treadle.faults.seed", System.nanoTime());

    @Test
    void each_leaf_is_recorded_once_and_the_root_succeeds_once_with_all_of_them() throws Exception {
        Random random = new Random(SEED);
        FaultTree root = new FaultTree(DEPTH, WIDTH, 5);
        FaultTree next = root.child();
        JobId id = enqueuer.jobs().enqueue(root);
        JobId last = enqueuer.jobs().with(JobOptions.DEFAULT.after(id)).enqueue(next);
        int jobs = root.jobs() + next.jobs();
        int leaves = root.leaves() + next.leaves();
        List<WorkerProcess> alive = new ArrayList<>(
                IntStream.rangeClosed(1, WORKERS).mapToObj(n -> worker("w" + n)).toList());
        for (int kill = 1; kill <= KILLS; kill++) {
            // the first one while jobs are still being spawned
            int moment = (int) ((kill - 1 + random.nextDouble()) * leaves / KILLS);
            until("leaf number " + moment, () -> events.count("START") >= moment);
            WorkerProcess victim = alive.remove(random.nextInt(alive.size()));
            victim.kill();
            untilForgotten(victim);
            alive.add(worker("w" + (WORKERS + kill)));
        }
        untilSucceeded(jobs);

        assertEquals(
                root.leaves(),
                enqueuer.jobs().await(id, Integer.class, Duration.ofSeconds(60)).orElseThrow());
        assertEquals(
                next.leaves(),
                enqueuer.jobs()
                        .await(last, Integer.class, Duration.ofSeconds(60))
                        .orElseThrow());
        for (WorkerProcess worker : alive) {
            worker.terminate();
        }
        StartCheck check = StartCheck.of(database, events);
        report("seed " + SEED + ", " + jobs + " jobs with " + leaves + " leaves, " + KILLS + " kills, " + check.lost()
                + " attempts rescued, " + check.reruns() + " leaves run again");
        assertEquals(jobs, count("select count(*) from treadle_job"), "none was spawned twice");
        assertEquals(jobs, count("select count(distinct job_id) from treadle_history where event = 0"));
        assertEquals(jobs, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
        assertEquals(leaves, events.starts().size());
        assertEquals(List.of(), check.startsAfterSuccess());
        for (String table : Stream.of("lease", "ready", "deferred", "parked", "waiting", "gate_count")
                .toList()) {
            assertEquals(0, count("select count(*) from treadle_" + table), table);
        }
        assertTrue(check.lost() > 0, "a kill hit a job");
    }
}
