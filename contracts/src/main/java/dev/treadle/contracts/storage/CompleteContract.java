package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.COMPLETED;
import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.FAILED;
import static dev.treadle.job.StateName.PARKED;
import static dev.treadle.job.StateName.SCHEDULED;
import static dev.treadle.job.StateName.SUCCEEDED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do when attempts end well. Extend it, hand over an empty storage, and it runs. */
public abstract class CompleteContract extends StorageContract {
    /** For subclasses. */
    protected CompleteContract() {}

    @Test
    final void a_completed_job_has_succeeded_and_one_row_tells_of_the_attempt() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        Patience.moment();

        assertWritten(Endings.completed(lease));

        JobState.Succeeded state = stateOf(id, JobState.Succeeded.class);
        HistoryEntry row = Stories.of(storage, id).history().get(0);
        assertEquals(
                new HistoryEntry(
                        COMPLETED, SUCCEEDED, 1, NODE, null, lease.job().state().since(), row.at(), Endings.RAN, null),
                row);
        assertEquals(new JobState.Succeeded(row.at(), Endings.RAN), state);
        assertFalse(row.at().isBefore(lease.job().state().since()), () -> "ended before it began: " + row);
        assertStates(id, SUCCEEDED);
        assertEquals(List.of(), storage.leasesOf(NODE));
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    final void how_long_it_ran_is_kept_to_the_microsecond() {
        for (Duration ran : List.of(
                Duration.ZERO, Duration.ofNanos(1_000), Duration.ofDays(40).plusNanos(123_456_000))) {
            Lease lease = claimed();
            assertWritten(AttemptEnd.succeeded(lease, ran));
            assertEquals(
                    ran, stateOf(lease.job().id(), JobState.Succeeded.class).ranFor());
        }
    }

    @Test
    final void an_ending_written_twice_is_written_both_times_and_told_once() {
        Lease lease = claimed();

        assertWritten(Endings.completed(lease));
        assertWritten(Endings.completed(lease));

        Stories.assertEvents(storage, lease.job().id(), COMPLETED);
    }

    @Test
    final void one_batch_may_hold_every_kind_of_ending_and_is_answered_in_order() {
        List<Lease> leases = claimed(8);
        WriteResult written = WriteResult.WRITTEN;
        assertWritten(Endings.rescued(leases.get(2), Jobs.LONG));

        List<WriteResult> answers = storage.record(List.of(
                Endings.failed(leases.get(0)),
                Endings.completed(leases.get(1)),
                Endings.completed(leases.get(2)),
                Endings.givenBack(leases.get(3)),
                Endings.threw(leases.get(4), Jobs.LONG),
                Endings.parked(leases.get(5)),
                Endings.completed(leases.get(6)),
                Endings.stopped(leases.get(7))));

        assertInstanceOf(WriteResult.Stale.class, answers.get(2));
        assertEquals(Collections.nCopies(2, written), answers.subList(0, 2));
        assertEquals(Collections.nCopies(5, written), answers.subList(3, 8));
        assertEquals(
                List.of(FAILED, SUCCEEDED, SCHEDULED, ENQUEUED, SCHEDULED, PARKED, SUCCEEDED, ENQUEUED),
                idsOf(leases).stream().map(this::stateOf).toList());
        assertEquals(List.of(), storage.leasesOf(NODE));
    }

    @Test
    final void a_full_batch_is_written_and_an_empty_one_changes_nothing() {
        List<Lease> leases = claimed(FULL);

        assertEquals(List.of(), storage.record(List.of()));
        assertEquals(FULL, storage.leasesOf(NODE).size());

        List<Transition> endings = leases.stream().map(Endings::completed).toList();
        assertEquals(Collections.nCopies(FULL, WriteResult.WRITTEN), storage.record(endings));
        assertEquals(List.of(), storage.leasesOf(NODE));
        assertEquals(Collections.nCopies(FULL, WriteResult.WRITTEN), storage.record(endings));
    }
}
