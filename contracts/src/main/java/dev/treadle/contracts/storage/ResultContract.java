package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every storage must do with results and snoozes. Extend it, hand over an empty storage, and it runs. */
public abstract class ResultContract extends StorageContract {
    private static final OperatorNote ANNA = new OperatorNote("anna", "no more");

    /** For subclasses. */
    protected ResultContract() {}

    @Test
    final void what_a_job_returned_is_kept_to_the_letter() {
        Map<JobId, JobResult> expected = new HashMap<>();
        for (String text : Texts.ARGUMENTS) {
            Lease lease = claimed();
            assertWritten(returned(lease, JobResult.of(text)));
            expected.put(lease.job().id(), JobResult.of(text));
        }
        Lease tooLarge = claimed();
        assertWritten(returned(tooLarge, JobResult.notKept("too large")));
        expected.put(tooLarge.job().id(), JobResult.notKept("too large"));

        Map<JobId, Completion> found = storage.runs().endings(expected.keySet());

        expected.forEach(
                (id, result) -> assertEquals(new Completion(StateName.SUCCEEDED, result, null), found.get(id)));
        assertStates(tooLarge.job().id(), StateName.SUCCEEDED);
    }

    @Test
    final void endings_with_and_without_results_are_written_in_one_batch() {
        List<Lease> leases = claimed(4);
        List<Transition> batch = List.of(
                Endings.completed(leases.get(0)),
                returned(leases.get(1), JobResult.of("1")),
                Endings.failed(leases.get(2)),
                returned(leases.get(3), JobResult.of("3")));

        assertEquals(Collections.nCopies(4, WriteResult.WRITTEN), storage.record(batch));
        assertEquals(Collections.nCopies(4, WriteResult.WRITTEN), storage.record(batch), "the same again");

        Map<JobId, Completion> found = storage.runs().endings(idsOf(leases));
        assertEquals(
                new Completion(StateName.SUCCEEDED, null, null),
                found.get(idsOf(leases).get(0)));
        assertEquals(JobResult.of("1"), result(leases.get(1)));
        assertEquals(Endings.BOOM, found.get(idsOf(leases).get(2)).why());
        assertEquals(JobResult.of("3"), result(leases.get(3)));
    }

    @Test
    final void a_run_that_lost_its_lease_leaves_no_result() {
        Lease lease = claimed();
        assertWritten(Endings.rescued(lease, Duration.ZERO));
        assertStale(returned(lease, JobResult.of("1")));
        Lease again = claim(OTHER, lease.job().id());
        assertWritten(Endings.completed(again));

        assertNull(result(again));
    }

    @Test
    final void the_result_of_an_earlier_run_does_not_count_for_a_later_one() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        assertWritten(returned(lease, JobResult.of("1")));
        storage.runAgain(id, ANNA);
        assertEquals(Map.of(), storage.runs().endings(List.of(id)), "it has not ended");
        assertWritten(Endings.completed(claim(NODE, id)));
        assertNull(result(lease));
        storage.runAgain(id, ANNA);
        assertWritten(returned(claim(NODE, id), JobResult.of("3")));

        assertEquals(JobResult.of("3"), result(lease));
    }

    @Test
    final void only_jobs_that_have_ended_tell_how() {
        for (StateName state : allStates()) {
            JobId id = aJobThatIs(state);
            Completion ended = storage.runs().endings(List.of(id)).get(id);
            assertEquals(state.isFinal() ? state : null, ended == null ? null : ended.state());
        }
        assertEquals(Map.of(), storage.runs().endings(List.of(jobs.nextId())));
    }

    @Test
    final void whoever_cancelled_tells_why() {
        JobId id = enqueued();
        storage.cancel(id, ANNA);

        Completion ended = storage.runs().endings(List.of(id)).get(id);

        assertNotNull(ended.why());
        assertEquals("no more", ended.why().message());
    }

    @Test
    final void a_job_that_snoozes_is_scheduled_and_its_attempt_is_not_counted() {
        Lease lease = claimed();
        JobId id = lease.job().id();
        Transition snooze = AttemptEnd.snoozed(lease, Endings.RAN, Duration.ZERO);

        assertWritten(snooze);
        assertWritten(snooze);
        assertStates(id, StateName.SCHEDULED);
        Lease again = claim(NODE, id);

        assertEquals(1, again.job().attempt());
        Stories.assertEvents(storage, id, Event.SNOOZED);
        assertEquals(Endings.RAN, Stories.of(storage, id).history().get(0).ranFor());
        assertWritten(AttemptEnd.snoozed(again, Endings.RAN, Jobs.LONG));
        assertEquals(0, Stories.of(storage, id).job().attempt());
        assertInOnePlace(id);
    }

    private @Nullable JobResult result(Lease lease) {
        return storage.runs()
                .endings(List.of(lease.job().id()))
                .get(lease.job().id())
                .result();
    }

    private static Transition returned(Lease lease, JobResult result) {
        return AttemptEnd.succeeded(lease, Endings.RAN, result);
    }
}
