package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.storage.sql.GivenDatabase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers are killed with SIGKILL between the effects of their jobs and their ends. */
@Tag(GivenDatabase.POSTGRES)
class KilledTransactionsTest extends Faults {
    private static final int KILLS = Integer.getInteger("treadle.faults.transactions.kills", 6);
    private static final long SEED = Long.getLong("treadle.faults.seed", System.nanoTime());
    /** How many are enqueued at once: as many as the workers have threads. */
    private static final int JOBS = 12;
    /** How long a job takes after its effect, in milliseconds. */
    private static final int MILLIS_MAX = 400;

    private final Random random = new Random(SEED);
    private int jobs;

    @Test
    @Timeout(7_200)
    void one_effect_for_each_job_with_a_transaction_and_at_least_one_for_the_others() throws Exception {
        Effects.createTable(database);
        Deque<WorkerProcess> alive = new ArrayDeque<>(List.of(worker("w1"), worker("w2"), worker("w3")));
        int kills = 0;
        int joined = 0;
        int apart = 0;
        while (joined + apart < KILLS && kills < 2 * KILLS) {
            String effect = kills % 4 == 3 ? "APART" : "JOINED";
            WorkerProcess victim = alive.remove();
            victim.awaitReady(events);
            until("an effect of " + victim.name(), () -> workIsUnderWayOn(victim, effect));
            victim.kill();
            kills++;
            if (!withoutEnd(victim, "JOINED").isEmpty()) {
                joined++;
            } else if (!withoutEnd(victim, "APART").isEmpty()) {
                apart++;
            }
            alive.add(worker("w" + (3 + kills)));
        }
        untilSucceeded(jobs);
        for (WorkerProcess worker : alive) {
            worker.terminate();
        }

        report("seed " + SEED + ", " + kills + " kills, " + joined
                + " between an effect in a transaction and its commit, "
                + apart + " between an effect apart and its end, in " + jobs + " jobs: "
                + Effects.moreThanOne(database, "n % 2 = 1").size() + " without a transaction have several effects");
        assertEquals(List.of(), Effects.moreThanOne(database, "n % 2 = 0"), "one effect with a transaction");
        assertEquals(jobs, count("select count(distinct n) from " + FaultEffect.TABLE), "no effect is missing");
        assertEquals(List.of(), Effects.successesWithout(database));
        assertEquals(jobs, count("select count(*) from treadle_history where event = 0"), "each succeeded once");
        assertEquals(KILLS, joined + apart, "kills between an effect and its end");
        assertTrue(joined >= KILLS / 2, "kills while a transaction was open");
    }

    /** Gives it work if there is none left. */
    private boolean workIsUnderWayOn(WorkerProcess worker, String effect) throws Exception {
        if (count("select count(*) from treadle_ready") == 0) {
            int first = jobs;
            enqueuer.jobs()
                    .enqueueAll(IntStream.range(first, first + JOBS)
                            .mapToObj(n -> new FaultEffect(n, random.nextInt(MILLIS_MAX), n % 2 == 0)));
            jobs += JOBS;
        }
        return !withoutEnd(worker, effect).isEmpty();
    }

    /** Jobs of a worker that have told of such an effect and not of their end. */
    private Set<JobId> withoutEnd(WorkerProcess worker, String effect) {
        Set<JobId> jobs = new HashSet<>();
        for (Event event : events.all()) {
            if (event.worker().equals(worker.name())) {
                if (event.what().equals(effect)) {
                    jobs.add(event.job());
                } else if (event.what().equals("END")) {
                    jobs.remove(event.job());
                }
            }
        }
        return jobs;
    }
}
