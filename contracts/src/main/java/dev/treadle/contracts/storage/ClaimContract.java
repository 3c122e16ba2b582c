package dev.treadle.contracts.storage;

import static dev.treadle.job.StateName.PROCESSING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.Due;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What every storage must do when nodes take jobs. Extend it, hand over an empty storage, and it runs. */
public abstract class ClaimContract extends StorageContract {
    private static final Instant LONG_AGO = Instant.parse("2001-01-01T00:00:00Z");

    /** For subclasses. */
    protected ClaimContract() {}

    @Test
    final void where_nothing_is_due_nothing_is_given() {
        assertEquals(List.of(), storage.claim(NODE, FULL));

        keep(jobs.aJobDueIn(Jobs.LONG));

        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    @Test
    final void a_claimed_job_is_whole_and_its_story_says_who_runs_it() {
        NodeId node = OTHER;
        JobId id = keep(jobs.withPriority(4));

        Lease lease = claim(node, id);

        assertEquals(node, lease.node());
        assertEquals(1, lease.job().attempt());
        assertEquals(lease.job(), Stories.of(storage, id).job());
        assertEquals(node, stateOf(id, JobState.Processing.class).node());
        assertStates(id, PROCESSING);
    }

    @Test
    final void jobs_come_by_priority_and_then_by_the_time_they_came_due() {
        JobId later = keep(jobs.withPriority(0, new Due.At(LONG_AGO.plusSeconds(2))));
        JobId last = keep(jobs.withPriority(7, new Due.At(LONG_AGO)));
        JobId first = keep(jobs.withPriority(-7, Due.NOW));
        JobId earlier = keep(jobs.withPriority(0, new Due.At(LONG_AGO.plusSeconds(1))));

        assertEquals(List.of(first, earlier, later, last), idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void no_more_than_wanted_are_given_and_the_next_claim_goes_on_there() {
        List<JobId> ids = new ArrayList<>();
        for (int second = 0; second < 5; second++) {
            ids.add(keep(jobs.aJobDueAt(LONG_AGO.plusSeconds(second))));
        }

        assertEquals(ids.subList(0, 2), idsOf(storage.claim(NODE, 2)));
        assertEquals(ids.subList(2, 3), idsOf(storage.claim(OTHER, 1)));
        assertEquals(ids.subList(3, 5), idsOf(storage.claim(NODE, 3)));
        assertEquals(List.of(), storage.claim(NODE, 1));
    }

    @Test
    final void what_is_given_back_returns_to_its_place_in_line() {
        List<JobId> ids = new ArrayList<>();
        for (int second = 0; second < 4; second++) {
            ids.add(keep(jobs.aJobDueAt(LONG_AGO.plusSeconds(second))));
        }
        List<Lease> first = storage.claim(NODE, 2);

        assertWritten(Endings.givenBack(first.get(0)));
        assertWritten(Endings.givenBack(first.get(1)));

        assertEquals(ids, idsOf(storage.claim(NODE, FULL)));
    }

    @Test
    final void a_full_batch_can_be_claimed_at_once() {
        storage.insert(jobs.enqueuedJobs(FULL));

        assertEquals(FULL, new HashSet<>(idsOf(storage.claim(NODE, FULL))).size());
    }

    @Test
    final void a_node_finds_what_it_was_given_and_only_that() {
        List<Lease> mine = claimed(3);
        Lease others = claim(OTHER, enqueued());

        assertEquals(new HashSet<>(mine), new HashSet<>(storage.leasesOf(NODE)));
        assertEquals(List.of(others), storage.leasesOf(OTHER));
        assertEquals(List.of(), storage.leasesOf(AUDITOR));

        assertWritten(Endings.completed(mine.get(1)));
        assertEquals(Set.of(mine.get(0), mine.get(2)), new HashSet<>(storage.leasesOf(NODE)));
        Set<RunId> known = Set.of(
                RunId.of(mine.get(0)),
                new RunId(mine.get(2).job().id(), mine.get(2).token() + 1_000));
        assertEquals(List.of(mine.get(2)), storage.leasesOf(NODE, known), "known under another lease is not known");
    }

    @Test
    final void eight_nodes_claiming_at_once_never_share_a_job() {
        storage.insert(jobs.enqueuedJobs(FULL));
        storage.insert(jobs.enqueuedJobs(FULL));
        AtomicInteger left = new AtomicInteger(2 * FULL);
        AtomicLong nodes = new AtomicLong(10);

        List<List<Lease>> taken = Together.times(8, () -> {
            NodeId node = new NodeId(nodes.incrementAndGet());
            List<Lease> mine = new ArrayList<>();
            Patience.untilTrue("all jobs are claimed", () -> {
                List<Lease> some = storage.claim(node, 7);
                mine.addAll(some);
                return left.addAndGet(-some.size()) <= 0;
            });
            mine.forEach(lease -> assertEquals(node, lease.node()));
            return mine;
        });

        List<JobId> all = taken.stream().flatMap(mine -> idsOf(mine).stream()).toList();
        assertEquals(2 * FULL, all.size());
        assertEquals(2 * FULL, new HashSet<>(all).size());
        assertEquals(List.of(), storage.claim(NODE, FULL));
    }

    /** A job whose insert commits late is due before jobs that were claimed already; a moving lower bound may skip it. */
    @Test
    final void a_job_committed_late_is_not_starved_by_a_queue_that_never_runs_empty() {
        storage.insert(jobs.enqueuedJobs(100));
        assertNotEquals(List.of(), storage.claim(NODE, 10));
        JobId late = keep(jobs.aJobDueAt(LONG_AGO));

        Patience.untilTrue("the late job is claimed", () -> {
            storage.insert(jobs.enqueuedJobs(10));
            return idsOf(storage.claim(NODE, 10)).contains(late);
        });
    }

    @Test
    final void each_claim_of_a_job_has_a_token_of_its_own() {
        Set<Long> tokens = new HashSet<>();
        Lease lease = claimed();
        for (int i = 0; i < 5; i++) {
            assertTrue(tokens.add(lease.token()), () -> "a token came twice: " + tokens);
            assertWritten(Endings.givenBack(lease));
            lease = claim(NODE, lease.job().id());
        }
    }
}
