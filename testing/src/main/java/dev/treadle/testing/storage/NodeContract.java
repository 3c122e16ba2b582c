package dev.treadle.testing.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.storage.Leased;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every storage must do to know which nodes live. Extend it, hand over an empty storage, and it runs. */
public abstract class NodeContract extends StorageContract {
    /** When every node has been silent for too long, once a moment has passed. */
    private static final Duration AT_ONCE = Duration.ZERO;

    /** For subclasses. */
    protected NodeContract() {}

    @Test
    final void a_silent_node_is_buried_once_and_only_when_it_holds_nothing() {
        beat(NODE);
        Leased held = claimed();
        Patience.moment();
        assertEquals(List.of(), storage.bury(AT_ONCE));

        assertWritten(Endings.rescued(held, Duration.ZERO));

        assertEquals(List.of(NODE), storage.bury(AT_ONCE));
        assertEquals(List.of(), storage.bury(AT_ONCE));
    }

    @Test
    final void neither_living_nodes_nor_those_that_left_are_buried() {
        beat(NODE);
        beat(OTHER);
        storage.leave(OTHER);
        Patience.moment();

        assertEquals(List.of(), storage.bury(HOUR));
        assertEquals(List.of(NODE), storage.bury(AT_ONCE));
    }

    @Test
    final void a_buried_node_that_is_heard_again_lives() {
        beat(NODE);
        Patience.moment();
        assertEquals(List.of(NODE), storage.bury(AT_ONCE));
        claimed();
        assertEquals(1, storage.orphans(HOUR, FULL).size());

        beat(NODE);

        assertEquals(List.of(), storage.orphans(HOUR, FULL));
        storage.record(storage.leasesOf(NODE).stream().map(Endings::completed).toList());
        Patience.moment();
        assertEquals(List.of(NODE), storage.bury(AT_ONCE));
    }

    @Test
    final void a_node_that_was_never_heard_of_may_leave() {
        storage.leave(NODE);
        storage.leave(NODE);

        assertTrue(storage.bury(AT_ONCE).isEmpty());
    }
}
