package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.STOPPED;
import static dev.treadle.job.HistoryEntry.Event.THREW;
import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.SCHEDULED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.lifecycle.Lease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do with jobs that a node hands back. Extend it, hand over an empty storage, and it runs. */
public abstract class GiveBackContract extends StorageContract {
    /** For subclasses. */
    protected GiveBackContract() {}

    @Test
    final void a_job_given_back_before_it_began_leaves_no_trace() {
        Lease lease = claimed();
        JobId id = lease.job().id();

        assertWritten(Endings.givenBack(lease));

        assertStates(id, ENQUEUED);
        Stories.assertEvents(storage, id);
        assertEquals(0, Stories.of(storage, id).job().attempt());
        assertEquals(1, claim(OTHER, id).job().attempt());
    }

    @Test
    final void a_job_stopped_while_it_ran_is_told_of_but_its_attempt_is_not_counted() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertWritten(Endings.threw(lease, Duration.ZERO));
        Lease second = claim(NODE, id);

        assertWritten(Endings.stopped(second));
        assertWritten(Endings.stopped(second));

        assertStates(id, SCHEDULED, ENQUEUED);
        Stories.assertEvents(storage, id, THREW, STOPPED);
        HistoryEntry row = Stories.of(storage, id).history().get(1);
        assertEquals(2, row.attempt());
        assertEquals(Endings.RAN, row.ranFor());
        assertNull(row.why());
        assertEquals(2, claim(OTHER, id).job().attempt());
    }

    @Test
    final void jobs_given_back_go_before_those_that_came_due_after_they_were_claimed() {
        List<Lease> early = List.of(claimed(), claimed());
        Patience.moment();
        JobId late = enqueued();

        assertWritten(Endings.stopped(early.get(1)));
        assertWritten(Endings.givenBack(early.get(0)));

        List<JobId> again = idsOf(storage.claim(OTHER, FULL));
        assertEquals(List.of(early.get(0).job().id(), early.get(1).job().id(), late), again);
    }

    @Test
    final void a_job_keeps_its_priority_whatever_happens_to_it() {
        Lease retried = claimed(jobs.withPriority(3));
        Lease givenBack = claimed(jobs.withPriority(2));
        Lease parked = claimed(jobs.withPriority(1));
        JobId usual = enqueued();

        storage.record(
                List.of(Endings.threw(retried, Duration.ZERO), Endings.givenBack(givenBack), Endings.parked(parked)));
        storage.unpark(NODE, parked.job().invocation().target(), FULL);
        Patience.moment();
        storage.promote(FULL);

        List<Lease> again = storage.claim(OTHER, FULL);
        assertEquals(
                List.of(
                        usual,
                        parked.job().id(),
                        givenBack.job().id(),
                        retried.job().id()),
                idsOf(again));
        assertEquals(
                List.of(0, 1, 2, 3),
                again.stream().map(lease -> lease.job().priority()).toList());
    }
}
