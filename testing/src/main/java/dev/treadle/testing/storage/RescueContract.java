package dev.treadle.testing.storage;

import static dev.treadle.job.HistoryEntry.Event.NODE_LOST;
import static dev.treadle.job.StateName.FAILED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.JobId;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do when nodes fall silent. Extend it, hand over an empty storage, and it runs. */
public abstract class RescueContract extends StorageContract {
    /** When every node has been silent for too long, once a moment has passed. */
    private static final Duration AT_ONCE = Duration.ZERO;

    /** For subclasses. */
    protected RescueContract() {}

    @Test
    final void what_a_silent_node_holds_is_orphaned_and_can_be_rescued() {
        beat(NODE);
        Leased held = claimed();
        JobId id = held.job().id();
        Patience.moment();

        List<Leased> orphans = storage.orphans(AT_ONCE, FULL);

        assertEquals(List.of(held), orphans);
        assertWritten(Endings.rescued(orphans.get(0), Duration.ZERO));
        assertEquals(List.of(), storage.orphans(AT_ONCE, FULL));
        HistoryEntry row = Stories.of(storage, id).history().get(0);
        assertEquals(NODE_LOST, row.event());
        assertEquals(1, row.attempt());
        assertEquals(Endings.SILENT, row.why());
        assertEquals(2, claim(OTHER, id).job().attempt());
    }

    @Test
    final void what_a_living_node_holds_is_its_own() {
        beat(NODE);
        claimed();
        Patience.moment();

        assertEquals(List.of(), storage.orphans(HOUR, FULL));
    }

    @Test
    final void a_node_that_is_heard_again_keeps_what_it_holds() {
        beat(NODE);
        claimed();
        Patience.moment();
        assertEquals(1, storage.orphans(AT_ONCE, FULL).size());

        beat(NODE);

        assertEquals(List.of(), storage.orphans(HOUR, FULL));
        assertEquals(1, storage.leasesOf(NODE).size());
    }

    @Test
    final void what_a_node_holds_that_was_never_heard_of_is_orphaned() {
        Leased held = claimed();

        assertEquals(List.of(held), storage.orphans(HOUR, FULL));
    }

    @Test
    final void what_a_node_leaves_behind_is_orphaned_at_once() {
        beat(NODE);
        beat(OTHER);
        Leased left = claimed();
        claim(OTHER, enqueued());

        storage.leave(NODE);

        assertEquals(List.of(left), storage.orphans(HOUR, FULL));
    }

    @Test
    final void no_more_orphans_are_given_than_wanted_and_those_rescued_make_room_for_the_rest() {
        List<Leased> held = claimed(5);

        List<Leased> first = storage.orphans(HOUR, 3);
        assertEquals(3, first.size());
        storage.record(first.stream().map(Endings::failed).toList());
        List<Leased> rest = storage.orphans(HOUR, 3);

        assertEquals(2, rest.size());
        HashSet<Leased> both = new HashSet<>(first);
        both.addAll(rest);
        assertEquals(new HashSet<>(held), both);
    }

    @Test
    final void a_full_batch_can_be_rescued_at_once() {
        claimed(FULL);

        List<Ending> endings =
                storage.orphans(HOUR, FULL).stream().map(Endings::failed).toList();
        assertEquals(FULL, endings.size());
        storage.record(endings);

        assertEquals(FAILED, stateOf(endings.get(FULL - 1).lease().job().id()));
        assertEquals(List.of(), storage.orphans(HOUR, FULL));
    }

    @Test
    final void of_two_rescuers_that_saw_the_same_orphan_one_moves_it() {
        Leased held = claimed();
        JobId id = held.job().id();
        List<Leased> seenByOne = storage.orphans(HOUR, FULL);
        List<Leased> seenByOther = storage.orphans(HOUR, FULL);

        assertWritten(Endings.rescued(seenByOne.get(0), Duration.ZERO));
        Leased next = claim(OTHER, id);
        record(Endings.rescued(seenByOther.get(0), Duration.ZERO));

        Stories.assertEvents(storage, id, NODE_LOST);
        assertEquals(List.of(next), storage.leasesOf(OTHER));
        assertWritten(Endings.completed(next));
    }
}
