package dev.treadle.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.storage.sql.GivenDatabase;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers are killed with SIGKILL at random moments while they run jobs of several steps. */
@Tag(GivenDatabase.POSTGRES)
class KilledStepsTest extends Faults {
    private static final int JOBS = Integer.getInteger("treadle.faults.steps.jobs", 300);
    private static final int KILLS = Integer.getInteger("treadle.faults.steps.kills", 5);
    private static final long SEED = Long.getLong("treadle.faults.seed", System.nanoTime());

    /** A step of a job. */
    private record Place(JobId job, String step) {}

    @Test
    void no_step_is_done_again_after_it_was_recorded_and_what_one_wrote_is_there_once() throws Exception {
        // no primary key: what is there twice shall be seen
        execute("drop table if exists step_effect");
        execute("create table step_effect (job_id uuid, step text)");
        Random random = new Random(SEED);
        enqueuer.jobs().enqueueAll(IntStream.range(0, JOBS).mapToObj(n -> FaultWork.steps(n, 1 + random.nextInt(20))));
        List<WorkerProcess> alive = new ArrayList<>(List.of(worker("w1"), worker("w2")));
        int steps = JOBS * FaultWork.STEPS;
        for (int kill = 1; kill <= KILLS; kill++) {
            int moment = (int) ((kill - 1 + 0.2 + 0.6 * random.nextDouble()) * steps / (KILLS + 1));
            until("step number " + moment, () -> begun() >= moment);
            WorkerProcess victim = alive.remove(random.nextInt(alive.size()));
            victim.kill();
            untilForgotten(victim);
            alive.add(worker("w" + (2 + kill)));
        }
        untilSucceeded(JOBS);
        for (WorkerProcess worker : alive) {
            worker.terminate();
        }

        Map<Place, Integer> recorded = recorded();
        Map<Place, List<Integer>> done = attempts("STEP-", "STEP-");
        Map<Place, List<Integer>> given = attempts("GIVEN-", "STEP-");
        int again = done.values().stream().mapToInt(List::size).sum() - steps;
        report("seed " + SEED + ", " + JOBS + " jobs of " + FaultWork.STEPS + " steps, " + KILLS + " kills, "
                + count("select count(*) from treadle_history where event = 2") + " attempts rescued, " + again
                + " steps done again that were not recorded, "
                + (given.values().stream().mapToInt(List::size).sum() - steps) + " given back");
        assertEquals(steps, recorded.size());
        assertEquals(steps, count("select count(*) from step_effect"));
        assertEquals(steps, count("select count(*) from (select distinct job_id, step from step_effect) one"));
        assertTrue(
                given.values().stream().anyMatch(attempts -> attempts.size() > 1),
                "a kill hit a job between two steps");
        recorded.forEach((place, attempt) -> {
            assertTrue(
                    done.get(place).stream().allMatch(one -> one <= attempt),
                    () -> place + " was recorded in attempt " + attempt + ", and done in " + done.get(place));
            assertTrue(
                    done.get(place).contains(attempt), () -> place + " was never done in the attempt that recorded it");
            assertTrue(
                    given.get(place).stream().allMatch(attempt::equals),
                    () -> place + " was recorded in attempt " + attempt + ", and given back from " + given.get(place));
        });
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int begun() {
        return (int) events.all().stream()
                .filter(event -> event.what().startsWith("STEP-"))
                .count();
    }

    /** The attempts that the events of this kind name, by what they are about. */
    private Map<Place, List<Integer>> attempts(String kind, String step) {
        Map<Place, List<Integer>> attempts = new HashMap<>();
        events.all().stream()
                .filter(event -> event.what().startsWith(kind))
                .forEach(event -> attempts.computeIfAbsent(
                                new Place(event.job(), step + event.what().substring(kind.length())),
                                unseen -> new ArrayList<>())
                        .add(event.attempt()));
        return attempts;
    }

    /** The attempt in which each step was recorded. */
    private Map<Place, Integer> recorded() throws SQLException {
        Map<Place, Integer> recorded = new HashMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select job_id, name, attempt from treadle_step where name like 'STEP-%'")) {
            while (row.next()) {
                recorded.put(new Place(JobId.of(row.getObject(1, UUID.class)), row.getString(2)), row.getInt(3));
            }
        }
        return recorded;
    }
}
