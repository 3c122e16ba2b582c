package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.NOT_RUNNABLE;
import static dev.treadle.job.StateName.ENQUEUED;
import static dev.treadle.job.StateName.PARKED;
import static dev.treadle.job.StateName.PROCESSING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every storage must do with jobs that a node cannot run. Extend it, hand over an empty storage, and it runs. */
public abstract class ParkContract extends StorageContract {
    /** For subclasses. */
    protected ParkContract() {}

    @Test
    final void a_parked_job_tells_why_and_has_lost_no_attempt() {
        Lease lease = claimed();
        JobId id = lease.job().id();

        assertWritten(Endings.parked(lease));
        assertWritten(Endings.parked(lease));

        Instant claimedAt = lease.job().state().since();
        HistoryEntry row = Stories.of(storage, id).history().get(0);
        assertEquals(
                new HistoryEntry(NOT_RUNNABLE, PARKED, 1, NODE, null, claimedAt, row.at(), null, Endings.UNKNOWN), row);
        assertEquals(new JobState.Parked(row.at(), Endings.UNKNOWN.message()), stateOf(id, JobState.Parked.class));
        assertStates(id, PARKED);
        assertEquals(0, Stories.of(storage, id).job().attempt());
        assertEquals(0, storage.promote(FULL).moved());
        assertEquals(List.of(), storage.claim(NODE, FULL));
        assertEquals(List.of(), storage.leasesOf(NODE));
    }

    @Test
    final void what_one_node_did_not_know_any_node_may_try() {
        JobId id = aJobThatIs(PARKED);
        beat(OTHER);

        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(NODE));
        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(OTHER));
        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(AUDITOR));

        assertEquals(1, storage.unpark(AUDITOR, Jobs.TARGET, FULL));
        assertEquals(0, storage.unpark(AUDITOR, Jobs.TARGET, FULL));
        assertEquals(Set.of(), storage.parkedTargets(AUDITOR));
        assertStates(id, PARKED, ENQUEUED);
        assertEquals(1, claim(OTHER, id).job().attempt());
        assertStates(id, PARKED, PROCESSING);
    }

    @Test
    final void what_a_node_knew_and_could_not_run_only_nodes_first_seen_later_may_try() {
        beat(NODE);
        beat(OTHER);
        Patience.moment();
        Lease lease = claimed();
        assertWritten(Endings.parkedThoughKnown(lease));
        Patience.moment();
        beat(OTHER);

        assertEquals(Set.of(), storage.parkedTargets(NODE));
        assertEquals(Set.of(), storage.parkedTargets(OTHER));
        assertEquals(Set.of(), storage.parkedTargets(AUDITOR));
        assertEquals(0, storage.unpark(OTHER, Jobs.TARGET, FULL));
        assertEquals(0, storage.unpark(AUDITOR, Jobs.TARGET, FULL));
        assertStates(lease.job().id(), PARKED);

        beat(AUDITOR);

        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(AUDITOR));
        assertEquals(1, storage.unpark(AUDITOR, Jobs.TARGET, FULL));
        assertEquals(1, claim(AUDITOR, lease.job().id()).job().attempt());
    }

    @Test
    final void a_node_that_was_away_is_no_newer_when_it_is_heard_again() {
        beat(NODE);
        beat(OTHER);
        Patience.moment();
        assertWritten(Endings.parkedThoughKnown(claimed()));
        storage.leave(OTHER);
        Patience.moment();
        assertTrue(bury(NODE));

        beat(NODE);
        beat(OTHER);

        assertEquals(Set.of(), storage.parkedTargets(NODE));
        assertEquals(Set.of(), storage.parkedTargets(OTHER));
    }

    @Test
    final void the_rule_is_asked_for_each_job_of_a_target() {
        beat(NODE);
        Patience.moment();
        List<Lease> leases = claimed(2);
        assertWritten(Endings.parkedThoughKnown(leases.get(0)));
        assertWritten(Endings.parked(leases.get(1)));

        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(NODE));
        assertEquals(1, storage.unpark(NODE, Jobs.TARGET, FULL));

        assertStates(leases.get(0).job().id(), PARKED);
        assertStates(leases.get(1).job().id(), PARKED, ENQUEUED);
    }

    @Test
    final void only_jobs_with_that_target_come_back_and_no_more_than_wanted() {
        String longType = "com.acme." + "Long".repeat(73);
        NewJob other = jobs.calling(longType, "m(" + Texts.AWKWARD + ")", "[]");
        List<Lease> leases = claimed(3);
        leases.forEach(lease -> assertWritten(Endings.parked(lease)));
        assertWritten(Endings.parked(claimed(other)));

        assertEquals(Set.of(Jobs.TARGET, other.invocation().target()), storage.parkedTargets(NODE));
        assertEquals(0, storage.unpark(NODE, longType, FULL));
        assertEquals(2, storage.unpark(NODE, Jobs.TARGET, 2));
        assertEquals(1, storage.unpark(NODE, other.invocation().target(), FULL));

        assertEquals(Set.of(Jobs.TARGET), storage.parkedTargets(NODE));
        assertEquals(3, storage.claim(NODE, FULL).size());
    }

    @Test
    final void a_job_that_is_parked_again_and_again_still_has_all_its_attempts() {
        JobId id = enqueued();
        for (int i = 0; i < 5; i++) {
            Lease lease = claim(NODE, id);
            assertEquals(1, lease.job().attempt());
            assertWritten(Endings.parked(lease));
            assertEquals(1, storage.unpark(OTHER, Jobs.TARGET, FULL));
        }
        Stories.assertEvents(storage, id, NOT_RUNNABLE, NOT_RUNNABLE, NOT_RUNNABLE, NOT_RUNNABLE, NOT_RUNNABLE);
    }
}
