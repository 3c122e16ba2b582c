package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobTraits;
import dev.treadle.job.JoinRule;
import dev.treadle.job.KeyRule;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.TransactionalStorage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do when the deadlines of jobs pass. Extend it, hand over an empty storage, and it runs. */
public abstract class DeadlineContract extends GateWords {
    private static final Instant PAST = Instant.parse("2020-02-02T02:02:02.000002Z");
    private static final Instant FUTURE = Instant.parse("2120-02-02T02:02:02Z");

    /** For subclasses. */
    protected DeadlineContract() {}

    @Test
    final void a_job_that_has_not_ended_fails_wherever_it_is() {
        JobId scheduled = keep(bound(new Due.After(Jobs.LONG), PAST));
        Lease processing = claimed(bound(PAST));
        Lease parked = claimed(bound(PAST));
        assertWritten(Endings.parked(parked));
        Lease waiting = claimed(bound(PAST));
        assertWritten(Endings.suspended(waiting));
        JobId enqueued = keep(bound(PAST));

        assertTrue(storage.outlook(NODE).gates(), "somebody has to look");
        open();

        for (JobId id : List.of(scheduled, id(processing), id(parked), id(waiting), enqueued)) {
            JobState.Failed failed = stateOf(id, JobState.Failed.class);
            assertEquals("Expired", failed.failure().type());
            assertTrue(failed.failure().message().contains(PAST.toString()), failed.failure()::message);
            HistoryEntry last = Stories.of(storage, id).history().stream()
                    .reduce((before, after) -> after)
                    .orElseThrow();
            assertEquals(HistoryEntry.Event.EXPIRED, last.event());
            assertEquals("treadle", last.by());
        }
        assertEquals(List.of(), storage.claim(NODE, FULL));
        assertFalse(storage.outlook(NODE).gates(), "once is enough");
    }

    @Test
    final void a_run_whose_job_expires_is_asked_to_end_and_its_ending_is_refused() {
        beat(NODE);
        Lease run = claimed(bound(PAST));

        open();

        assertEquals(
                List.of(RunId.of(run)),
                storage.runs().stopRequests(NODE).stream().map(StopRequest::run).toList());
        assertStale(Endings.completed(run));
        assertEquals(StateName.FAILED, state(run));
    }

    @Test
    final void a_job_that_has_ended_before_stays_as_it_is() {
        Lease done = claimed(bound(PAST));
        assertWritten(Endings.completed(done));
        JobId cancelled = keep(bound(PAST));
        storage.cancel(cancelled, ANNA);
        JobId deleted = keep(bound(PAST));
        delete(deleted);

        open();

        assertEquals(StateName.SUCCEEDED, state(done));
        assertEquals(StateName.CANCELLED, state(cancelled));
    }

    @Test
    final void a_deadline_that_has_not_passed_changes_nothing_and_is_kept_with_the_job() {
        Lease lease = claimed(bound(FUTURE));

        open();

        assertEquals(FUTURE, lease.job().traits().deadline());
        assertWritten(Endings.completed(lease));
    }

    @Test
    final void the_children_of_a_job_that_expires_while_it_waits_are_cancelled() {
        Lease parent = claimed(bound(PAST));
        spawn(parent, "slip", 3);
        assertWritten(Endings.completed(take(NODE, child(parent, "slip", 0))));
        suspend(parent, "slip", JoinRule.ALL_END);

        open();

        assertEquals(StateName.FAILED, state(parent));
        assertEquals(StateName.SUCCEEDED, state(child(parent, "slip", 0)));
        assertEquals(StateName.CANCELLED, state(child(parent, "slip", 1)));
        assertEquals(StateName.CANCELLED, state(child(parent, "slip", 2)));
    }

    @Test
    final void a_child_that_expires_is_counted_as_failed() {
        Lease parent = claimed();
        NewJob child = children(parent, "slip", 0, 1).get(0);
        written(gates().spawn(
                        RunId.of(parent),
                        "slip",
                        0,
                        List.of(new NewJob(
                                child.id(),
                                child.invocation(),
                                child.due(),
                                child.traits().withDeadline(PAST))),
                        true));
        suspend(parent, "slip", JoinRule.ALL_SUCCEED);

        assertEquals(1, open(), "its parent goes on");

        assertEquals(1, gate(parent, "slip").failed());
    }

    @Test
    final void what_is_run_again_by_hand_has_no_deadline_any_more() {
        JobId id = keep(bound(PAST));
        open();
        assertEquals(
                1, storage.act(JobAction.RUN_AGAIN, ANNA, List.of(id), null).size());

        open();

        assertWritten(Endings.completed(claim(NODE, id)));
    }

    @Test
    final void the_next_job_of_a_key_goes_on() {
        KeyRule key = KeyRule.limit("printer", 1);
        JobId first = keep(jobs.withTraits(JobTraits.DEFAULT.withKey(key).withDeadline(PAST)));
        JobId second = keep(jobs.withTraits(JobTraits.DEFAULT.withKey(key)));
        assertEquals(List.of(first), idsOf(storage.claim(NODE, FULL)));

        open();

        assertEquals(List.of(second), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void very_many_fail_look_by_look() {
        int count = 2 * TransactionalStorage.ACT_MAX + 3;
        List<NewJob> many = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            many.add(bound(PAST));
        }
        storage.insert(many);

        open();

        assertEquals((long) count, storage.search().counts().get(StateName.FAILED));
    }

    @Test
    final void a_job_that_is_born_leased_expires_too() {
        beat(NODE);
        Lease born = storage.insertLeased(NODE, List.of(bound(PAST))).get(0);
        assertNotNull(born.job().traits().deadline());

        open();

        assertEquals(StateName.FAILED, state(born));
    }

    @Test
    final void a_job_that_takes_the_place_of_another_brings_its_own_deadline() {
        UniqueTerms.Asked replaces =
                new UniqueTerms.Asked("name invoice", Unique.Span.WAITING_OR_RUNNING, null, Unique.OnConflict.REPLACE);
        JobId id = storage.insertUnique(bound(PAST), replaces).id();
        storage.insertUnique(bound(FUTURE), replaces);

        open();
        assertEquals(StateName.ENQUEUED, state(id));

        storage.insertUnique(bound(PAST), replaces);
        open();
        assertEquals(StateName.FAILED, state(id));
    }

    private static JobId id(Lease lease) {
        return lease.job().id();
    }

    private NewJob bound(Instant deadline) {
        return jobs.withTraits(JobTraits.DEFAULT.withDeadline(deadline));
    }

    private NewJob bound(Due due, Instant deadline) {
        NewJob now = bound(deadline);
        return new NewJob(now.id(), now.invocation(), due, now.traits());
    }
}
