package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.CANCELLED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What every storage must do when people cancel jobs while nodes move them. Extend it, hand over an empty storage, and it runs.
 */
public abstract class CancelRaceContract extends StorageContract {
    private static final int ROUNDS = 20;
    private static final OperatorNote ANNA = new OperatorNote("anna", null);
    private static final WriteResult WRITTEN = WriteResult.WRITTEN;

    /** For subclasses. */
    protected CancelRaceContract() {}

    @Test
    final void a_job_cancelled_while_it_is_claimed_is_cancelled_and_its_run_counts_for_nothing() {
        for (int round = 0; round < ROUNDS; round++) {
            JobId id = enqueued();

            Together.two(() -> storage.claim(NODE, 1), () -> assertCancels(id))
                    .one()
                    .forEach(lease -> {
                        assertEquals(id, lease.job().id());
                        assertStale(Endings.completed(lease));
                    });

            assertCancelled(id);
        }
    }

    @Test
    final void a_job_cancelled_while_it_comes_due_is_cancelled() {
        for (int round = 0; round < ROUNDS; round++) {
            JobId id = keep(jobs.aJobDueIn(Duration.ofMillis(1)));
            Patience.moment();

            Together.two(() -> storage.promote(1), () -> assertCancels(id));

            assertCancelled(id);
        }
    }

    @Test
    final void a_job_cancelled_while_it_is_given_back_retried_or_parked_is_cancelled() {
        for (Function<Lease, Transition> kind : List.<Function<Lease, Transition>>of(
                Endings::givenBack,
                Endings::stopped,
                lease -> Endings.threw(lease, Duration.ZERO),
                lease -> Endings.rescued(lease, Jobs.LONG),
                Endings::parked)) {
            for (int round = 0; round < ROUNDS; round++) {
                Transition ending = kind.apply(claimed());
                JobId id = ending.lease().job().id();

                Together.two(() -> record(ending), () -> assertCancels(id));

                assertCancelled(id);
            }
        }
    }

    @Test
    final void a_job_cancelled_while_it_ends_does_one_of_the_two() {
        for (Function<Lease, Transition> kind :
                List.<Function<Lease, Transition>>of(Endings::completed, Endings::failed)) {
            for (int round = 0; round < ROUNDS; round++) {
                Transition ending = kind.apply(claimed());
                JobId id = ending.lease().job().id();

                var answers = Together.two(() -> record(ending), () -> storage.cancel(id, ANNA));

                assertTrue(answers.exactlyOneIs(WRITTEN), answers::toString);
                Stories.assertEvents(storage, id, answers.one().equals(WRITTEN) ? ending.event() : CANCELLED);
                assertEquals(1, Stories.of(storage, id).history().size());
                assertInOnePlace(id);
            }
        }
    }

    @Test
    final void a_job_cancelled_while_a_node_unparks_it_is_cancelled() {
        for (int round = 0; round < ROUNDS; round++) {
            JobId id = aJobThatIs(StateName.PARKED);

            Together.two(() -> storage.unpark(OTHER, Jobs.TARGET, FULL), () -> assertCancels(id));

            assertCancelled(id);
        }
    }

    @Test
    final void a_job_that_two_people_cancel_at_once_is_cancelled_by_one() {
        for (StateName state : List.of(StateName.SCHEDULED, StateName.ENQUEUED, StateName.PROCESSING)) {
            for (int round = 0; round < ROUNDS; round++) {
                JobId id = aJobThatIs(state);

                var answers = Together.two(() -> storage.cancel(id, ANNA), () -> storage.cancel(id, ANNA));

                assertTrue(answers.exactlyOneIs(WRITTEN), answers::toString);
                assertTrue(answers.exactlyOneIs(new WriteResult.Stale(StateName.CANCELLED)), answers::toString);
                Stories.assertEvents(storage, id, CANCELLED);
                assertCancelled(id);
            }
        }
    }

    /** Other calls may move the job at the same time, but it has not ended, so this must do it. */
    private WriteResult assertCancels(JobId id) {
        WriteResult answer = storage.cancel(id, ANNA);
        assertEquals(WRITTEN, answer);
        return answer;
    }

    private void assertCancelled(JobId id) {
        assertEquals(StateName.CANCELLED, stateOf(id));
        assertEquals(0, storage.promote(FULL).moved());
        assertEquals(0, storage.unpark(AUDITOR, Jobs.TARGET, FULL));
        assertInOnePlace(id);
    }
}
