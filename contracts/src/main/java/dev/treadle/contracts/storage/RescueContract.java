package dev.treadle.contracts.storage;

import static dev.treadle.job.HistoryEntry.Event.NODE_LOST;
import static dev.treadle.job.StateName.FAILED;
import static dev.treadle.job.StateName.SUCCEEDED;
import static dev.treadle.job.WriteResult.WRITTEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.KeyRule;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every storage must do when nodes fall silent. Extend it, hand over an empty storage, and it runs. */
public abstract class RescueContract extends StorageContract {
    /** For subclasses. */
    protected RescueContract() {}

    @Test
    final void what_a_dead_node_holds_is_orphaned_and_can_be_rescued() {
        beat(NODE);
        Lease held = claimed();
        JobId id = held.job().id();
        assertTrue(bury(NODE));

        List<Lease> orphans = storage.orphans(OTHER, FULL);

        assertEquals(List.of(held), orphans);
        assertEquals(WRITTEN, rescue(orphans.get(0)));
        assertEquals(List.of(), storage.orphans(OTHER, FULL));
        HistoryEntry row = Stories.of(storage, id).history().get(0);
        assertEquals(NODE_LOST, row.event());
        assertEquals(1, row.attempt());
        assertEquals(Endings.SILENT, row.why());
        assertEquals(2, claim(OTHER, id).job().attempt());
    }

    @Test
    final void what_a_living_node_holds_is_its_own() {
        beat(NODE);
        Lease held = claimed();

        assertEquals(List.of(), storage.orphans(OTHER, FULL));
        assertStaleRescue(held);
        assertWritten(Endings.completed(held));
    }

    @Test
    final void a_node_that_is_heard_again_keeps_what_it_holds() {
        beat(NODE);
        Lease held = claimed();
        bury(NODE);
        assertEquals(1, storage.orphans(OTHER, FULL).size());

        beat(NODE);

        assertEquals(List.of(), storage.orphans(OTHER, FULL));
        assertStaleRescue(held);
        assertEquals(List.of(held), storage.leasesOf(NODE));
    }

    @Test
    final void no_node_rescues_from_itself() {
        beat(NODE);
        Lease held = claimed();
        bury(NODE);

        assertEquals(List.of(), storage.orphans(NODE, FULL));
        assertEquals(List.of(held), storage.orphans(OTHER, FULL));
    }

    @Test
    final void a_rescuer_that_lost_its_answer_is_told_that_the_second_try_did_nothing() {
        Lease held = claimed();
        assertEquals(WRITTEN, rescue(held));

        assertStaleRescue(held);

        Stories.assertEvents(storage, held.job().id(), NODE_LOST);
    }

    @Test
    final void a_rescue_lets_go_of_the_key() {
        KeyRule one = KeyRule.limit("printer", 1);
        Lease held = claimed(jobs.withTraits(JobTraits.DEFAULT.withKey(one)));
        JobId next = keep(jobs.withTraits(JobTraits.DEFAULT.withKey(one)));
        assertEquals(List.of(), storage.claim(OTHER, 1));

        assertEquals(List.of(WRITTEN), storage.rescue(List.of(AttemptEnd.abandoned(held, Endings.SILENT))));

        assertEquals(next, claim(OTHER, next).job().id());
    }

    @Test
    final void jobs_with_and_without_a_key_are_rescued_together() {
        Lease plain = claimed();
        Lease keyed = claimed(jobs.withTraits(JobTraits.DEFAULT.withKey(KeyRule.limit("printer", 1))));
        Lease completed = claimed();
        assertWritten(Endings.completed(completed));

        List<WriteResult> answers = storage.rescue(Stream.of(plain, completed, keyed)
                .map(lease -> Endings.rescued(lease, Duration.ZERO))
                .toList());

        assertEquals(WRITTEN, answers.get(0));
        assertInstanceOf(WriteResult.Stale.class, answers.get(1));
        assertEquals(WRITTEN, answers.get(2));
        assertEquals(SUCCEEDED, stateOf(completed.job().id()));
    }

    @Test
    final void what_a_node_holds_that_was_never_heard_of_is_orphaned() {
        Lease held = claimed();

        assertEquals(List.of(held), storage.orphans(AUDITOR, FULL));
    }

    @Test
    final void what_a_node_leaves_behind_is_orphaned_at_once() {
        beat(NODE);
        beat(OTHER);
        Lease left = claimed();
        claim(OTHER, enqueued());

        storage.leave(NODE);

        assertEquals(List.of(left), storage.orphans(AUDITOR, FULL));
    }

    @Test
    final void no_more_orphans_are_given_than_wanted_and_those_rescued_make_room_for_the_rest() {
        List<Lease> held = claimed(5);

        List<Lease> first = storage.orphans(AUDITOR, 3);
        assertEquals(3, first.size());
        storage.rescue(first.stream().map(Endings::lost).toList());
        List<Lease> rest = storage.orphans(AUDITOR, 3);

        assertEquals(2, rest.size());
        HashSet<Lease> both = new HashSet<>(first);
        both.addAll(rest);
        assertEquals(new HashSet<>(held), both);
    }

    @Test
    final void a_full_batch_can_be_rescued_at_once() {
        claimed(FULL);

        List<Transition> endings =
                storage.orphans(AUDITOR, FULL).stream().map(Endings::lost).toList();
        assertEquals(FULL, endings.size());
        storage.rescue(endings);

        assertEquals(FAILED, stateOf(endings.get(FULL - 1).lease().job().id()));
        assertEquals(List.of(), storage.orphans(AUDITOR, FULL));
    }

    @Test
    final void of_two_rescuers_that_saw_the_same_orphan_one_moves_it() {
        Lease held = claimed();
        JobId id = held.job().id();
        List<Lease> seenByOne = storage.orphans(AUDITOR, FULL);
        List<Lease> seenByOther = storage.orphans(AUDITOR, FULL);

        assertEquals(WRITTEN, rescue(seenByOne.get(0)));
        Lease next = claim(OTHER, id);
        assertStaleRescue(seenByOther.get(0));

        Stories.assertEvents(storage, id, NODE_LOST);
        assertEquals(List.of(next), storage.leasesOf(OTHER));
        assertWritten(Endings.completed(next));
    }

    private WriteResult rescue(Lease orphan) {
        List<WriteResult> answers = storage.rescue(List.of(Endings.rescued(orphan, Duration.ZERO)));
        assertEquals(1, answers.size());
        return answers.get(0);
    }

    private void assertStaleRescue(Lease orphan) {
        assertInstanceOf(WriteResult.Stale.class, rescue(orphan));
    }
}
