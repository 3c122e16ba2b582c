package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.CANCELLED;
import static dev.treadle.job.HistoryEntry.Event.COMPLETED;
import static dev.treadle.job.HistoryEntry.Event.NODE_LOST;
import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.PROCESSING;
import static dev.treadle.job.StateName.SCHEDULED;
import static dev.treadle.job.StateName.SUCCEEDED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Lease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do so that only the holder of a lease can end its attempt. Extend it, hand over an empty storage, and it runs. */
public abstract class LeaseContract extends StorageContract {
    private static final OperatorNote ANNA = new OperatorNote("anna", "double order");

    /** For subclasses. */
    protected LeaseContract() {}

    @Test
    final void an_ending_repeated_after_the_job_was_run_again_does_not_touch_it() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertWritten(Endings.completed(lease));
        assertEquals(WriteResult.WRITTEN, storage.runAgain(id, new OperatorNote("anna", null)));

        record(Endings.completed(lease));

        assertStates(id, SUCCEEDED, ENQUEUED);
        assertEquals(1, claim(OTHER, id).job().attempt());
    }

    @Test
    final void a_lease_that_has_ended_cannot_end_otherwise() {
        Lease lease = claimed();
        assertWritten(Endings.completed(lease));

        assertStale(Endings.stopped(lease));
        assertStale(Endings.failed(lease));

        assertStates(lease.job().id(), SUCCEEDED);
    }

    @Test
    final void a_wrong_token_changes_nothing() {
        Lease lease = claimed();

        assertStale(Endings.completed(new Lease(lease.job(), lease.token() + 1)));
        assertStale(Endings.failed(new Lease(lease.job(), lease.token() - 1)));

        assertStates(lease.job().id(), PROCESSING);
        assertWritten(Endings.completed(lease));
    }

    @Test
    final void a_lease_that_was_rescued_can_no_longer_be_completed() {
        Lease lost = claimed();
        JobId id = lost.job().id();
        assertWritten(Endings.rescued(lost, Jobs.LONG));

        assertStale(Endings.completed(lost));

        assertStates(id, SCHEDULED);
        Stories.assertEvents(storage, id, NODE_LOST);
    }

    @Test
    final void the_result_of_an_attempt_that_was_given_up_does_not_land_on_the_next_one() {
        Lease lost = claimed();
        JobId id = lost.job().id();
        assertWritten(Endings.givenBack(lost));
        Lease next = claim(NODE, id);
        assertEquals(lost.job().attempt(), next.job().attempt());

        assertStale(Endings.completed(lost));

        assertStates(id, PROCESSING);
        assertWritten(Endings.completed(next));
        Stories.assertEvents(storage, id, COMPLETED);
    }

    @Test
    final void a_job_that_is_not_there_cannot_end() {
        Lease real = claimed();
        Job job = real.job();
        Lease none = new Lease(
                new Job(jobs.nextId(), job.invocation(), JobTraits.DEFAULT, job.createdAt(), 1, job.state()),
                real.token());

        assertStale(Endings.completed(none));

        assertEquals(0, storage.queries().states(List.of(none.job().id())).size());
        assertStates(job.id(), PROCESSING);
    }

    @Test
    final void a_running_job_that_is_cancelled_stays_so_whatever_its_node_says() {
        Lease lease = claimed();
        JobId id = lease.job().id();

        assertEquals(WriteResult.WRITTEN, storage.cancel(id, ANNA));

        assertEquals(List.of(), storage.leasesOf(NODE));
        assertEquals(List.of(), storage.orphans(AUDITOR, FULL));
        for (var ending : List.of(
                Endings.completed(lease),
                Endings.threw(lease, Duration.ZERO),
                Endings.failed(lease),
                Endings.parked(lease),
                Endings.givenBack(lease))) {
            assertStale(ending);
        }
        Stories.assertEvents(storage, id, CANCELLED);
        assertEquals(1, Stories.of(storage, id).history().get(0).attempt());
        assertInOnePlace(id);
    }

    @Test
    final void a_lease_from_before_the_job_was_run_again_is_worth_nothing() {
        Lease old = claimed();
        JobId id = old.job().id();
        storage.cancel(id, ANNA);
        storage.runAgain(id, ANNA);
        Lease current = claim(NODE, id);
        assertEquals(old.job().attempt(), current.job().attempt());

        assertStale(Endings.completed(old));

        assertStates(id, StateName.CANCELLED, StateName.ENQUEUED, StateName.PROCESSING);
        assertWritten(Endings.completed(current));
    }
}
