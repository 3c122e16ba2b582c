package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.storage.sql.GivenDatabase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that enqueues is killed in the middle of it. */
@Tag(GivenDatabase.POSTGRES)
class KilledEnqueuerTest extends Faults {
    private static final int ROUNDS = Integer.getInteger("treadle.faults.enqueue.rounds", 2);

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void every_acknowledged_job_is_there_and_no_batch_is_there_in_part(int batch) throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            WorkerProcess victim =
                    worker("enqueuer" + round, "workers", "0", "enqueue", "10000000", "batch", String.valueOf(batch));
            int enough = events.count("ACK") + 200 + 137 * round;
            until("some are acknowledged", () -> events.count("ACK") >= enough);
            victim.kill();
            untilForgotten(victim);
        }

        List<JobId> acknowledged = events.acknowledged();
        int kept = count("select count(*) from treadle_job");
        report("batches of " + batch + ": " + ROUNDS + " kills, " + acknowledged.size() + " acknowledged, " + kept
                + " kept");
        for (int from = 0; from < acknowledged.size(); from += 5_000) {
            List<JobId> some = acknowledged.subList(from, Math.min(acknowledged.size(), from + 5_000));
            Map<JobId, StateName> states = enqueuer.jobs().states(some);
            some.forEach(id -> assertEquals(StateName.ENQUEUED, states.get(id), () -> id + " was acknowledged"));
        }
        assertEquals(0, kept % batch, "a batch is kept as a whole");
        assertTrue(kept - acknowledged.size() <= ROUNDS * batch, "at most one call for each kill is in doubt");
    }

    @Test
    void jobs_that_were_born_on_the_node_that_is_killed_are_rescued() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            WorkerProcess victim =
                    worker("both" + round, "workers", "64", "enqueue", "10000000", "millis", "20", "batch", "1");
            int enough = events.count("ACK") + 300 + 137 * round;
            until("some are acknowledged", () -> events.count("ACK") >= enough);
            victim.kill();
            untilForgotten(victim);
        }
        int born = count("select count(*) from treadle_history where event = 0 and claimed_at = (select created_at"
                + " from treadle_job where id = job_id)");
        int left = count("select count(*) from treadle_lease");
        WorkerProcess rescuer = worker("rescuer");
        untilSucceeded(count("select count(*) from treadle_job"));
        rescuer.terminate();

        StartCheck check = StartCheck.of(database, events);
        report(ROUNDS + " kills, " + events.acknowledged().size() + " acknowledged, " + born + " completed as born, "
                + left + " leased when their node was killed, " + check.lost() + " attempts rescued");
        assertTrue(born > 0, "some jobs were born leased");
        List<JobId> acknowledged = events.acknowledged();
        for (int from = 0; from < acknowledged.size(); from += 5_000) {
            List<JobId> some = acknowledged.subList(from, Math.min(acknowledged.size(), from + 5_000));
            Map<JobId, StateName> states = enqueuer.jobs().states(some);
            some.forEach(id -> assertEquals(StateName.SUCCEEDED, states.get(id), () -> id + " was acknowledged"));
        }
        assertEquals(List.of(), check.startedMoreOftenThanTold());
        assertEquals(List.of(), check.startsAfterSuccess());
    }
}
