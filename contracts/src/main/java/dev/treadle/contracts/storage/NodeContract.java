package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What every storage must do to know which nodes live. Extend it, hand over an empty storage, and it runs. */
public abstract class NodeContract extends StorageContract {
    /** For subclasses. */
    protected NodeContract() {}

    @Test
    final void each_heartbeat_is_told_from_the_one_before() {
        beat(NODE);
        NodeBeat first = lastBeat(NODE);
        assertEquals(first, lastBeat(NODE), "as long as there is no other");

        Patience.moment();
        beat(NODE);

        assertNotEquals(first.mark(), lastBeat(NODE).mark());
    }

    @Test
    final void a_heartbeat_tells_how_long_its_node_may_be_silent() {
        NodeInfo node = new NodeInfo(NODE, "host", "pool", 1);
        storage.heartbeat(node.withDeadAfter(Duration.ofSeconds(30)));
        assertEquals(Duration.ofSeconds(30), lastBeat(NODE).deadAfter());

        storage.heartbeat(node.withDeadAfter(Duration.ofMillis(1_500)));
        assertEquals(Duration.ofMillis(1_500), lastBeat(NODE).deadAfter(), "the setting was changed");

        storage.heartbeat(node);
        assertEquals(null, lastBeat(NODE).deadAfter(), "it does not tell");
    }

    @Test
    final void a_node_is_buried_once() {
        beat(NODE);
        NodeBeat last = lastBeat(NODE);

        assertTrue(storage.bury(last));
        assertFalse(storage.bury(last));
        assertEquals(Set.of(), living());
    }

    @Test
    final void a_node_that_has_been_heard_since_is_not_buried() {
        beat(NODE);
        NodeBeat before = lastBeat(NODE);
        Patience.moment();
        beat(NODE);

        assertFalse(storage.bury(before));
        assertEquals(Set.of(NODE), living());
        assertTrue(bury(NODE));
    }

    @Test
    final void a_node_that_left_has_gone() {
        beat(NODE);
        beat(OTHER);
        NodeBeat last = lastBeat(OTHER);

        storage.leave(OTHER);

        assertEquals(Set.of(NODE), living());
        assertFalse(storage.bury(last));
    }

    @Test
    final void a_buried_node_that_is_heard_again_lives() {
        beat(NODE);
        bury(NODE);
        claimed();
        assertEquals(1, storage.orphans(OTHER, FULL).size());

        beat(NODE);

        assertEquals(List.of(), storage.orphans(OTHER, FULL));
        assertEquals(Set.of(NODE), living());
        storage.record(storage.leasesOf(NODE).stream().map(Endings::completed).toList());
        assertTrue(bury(NODE));
    }

    @Test
    final void a_node_that_was_never_heard_of_may_leave() {
        storage.leave(NODE);
        storage.leave(NODE);

        assertEquals(List.of(), storage.beats());
    }

    private Set<NodeId> living() {
        return storage.beats().stream().map(NodeBeat::node).collect(Collectors.toSet());
    }
}
