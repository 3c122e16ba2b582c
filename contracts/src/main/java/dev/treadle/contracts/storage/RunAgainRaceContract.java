package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.RUN_AGAIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do when people run jobs again at once. Extend it, hand over an empty storage, and it runs. */
public abstract class RunAgainRaceContract extends StorageContract {
    private static final int ROUNDS = 20;
    private static final OperatorNote ANNA = new OperatorNote("anna", null);
    private static final WriteResult WRITTEN = WriteResult.WRITTEN;

    /** For subclasses. */
    protected RunAgainRaceContract() {}

    @Test
    final void a_job_that_two_people_run_again_at_once_is_enqueued_once() {
        for (StateName state : List.of(StateName.SUCCEEDED, StateName.CANCELLED, StateName.PARKED)) {
            for (int round = 0; round < ROUNDS; round++) {
                JobId id = aJobThatIs(state);

                var answers = Together.two(() -> storage.runAgain(id, ANNA), () -> storage.runAgain(id, ANNA));

                assertTrue(answers.exactlyOneIs(WRITTEN), answers::toString);
                assertTrue(answers.exactlyOneIs(new WriteResult.Stale(StateName.ENQUEUED)), answers::toString);
                assertEquals(
                        RUN_AGAIN,
                        Stories.of(storage, id)
                                .history()
                                .get(state == StateName.ENQUEUED ? 0 : 1)
                                .event());
                assertInOnePlace(id);
            }
        }
    }

    @Test
    final void a_job_run_again_while_a_node_unparks_it_is_enqueued_once() {
        for (int round = 0; round < ROUNDS; round++) {
            JobId id = aJobThatIs(StateName.PARKED);

            Together.two(() -> storage.unpark(OTHER, Jobs.TARGET, FULL), () -> storage.runAgain(id, ANNA));

            assertEquals(StateName.ENQUEUED, stateOf(id));
            assertInOnePlace(id);
        }
    }

    @Test
    final void a_parked_job_run_again_and_cancelled_at_once_is_in_one_place() {
        for (int round = 0; round < ROUNDS; round++) {
            JobId id = aJobThatIs(StateName.PARKED);

            var answers = Together.two(() -> storage.runAgain(id, ANNA), () -> storage.cancel(id, ANNA));

            assertEquals(new Together.Both<>(WRITTEN, WRITTEN), answers);
            assertInOnePlace(id);
        }
    }
}
