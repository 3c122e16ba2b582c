package dev.treadle.contracts.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.NodeVitals;
import dev.treadle.storage.admin.Minutes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every storage must keep of how nodes stand and what they did. Extend it, hand over an empty storage, and it runs.
 */
public abstract class MinuteContract extends StorageContract {
    private static final NodeVitals VITALS = new NodeVitals(5_000_000_000L, 6_000_000_000L, -1, 0.25, 77, 42, 9);

    private final Instant minute = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MINUTES);

    /** For subclasses. */
    protected MinuteContract() {}

    @Test
    final void a_node_is_seen_as_it_stood_at_its_last_heartbeat() {
        beat(NODE);
        assertNull(storage.search().nodes(HOUR).get(0).node().figures());

        Map<String, String> facts = Map.of("jdk", "25 \"quoted\" <b>", "guard", "open");
        tell(NODE, VITALS, facts, null);

        assertEquals(
                new NodeFigures(VITALS, facts, null),
                storage.search().nodes(HOUR).get(0).node().figures());
        assertEquals(List.of(), storage.minutes().together(Instant.EPOCH));

        beat(NODE);

        assertNull(storage.search().nodes(HOUR).get(0).node().figures());
    }

    @Test
    final void a_minute_that_is_told_again_is_kept_once_as_told_last() {
        NodeMinute first = minute(0, 20, 7, 30L);
        NodeMinute second = new NodeMinute(minute, 40, 9, 2, 10L, null, 0L, 3, 1L << 40, 1L << 41, -1, 0.5, 44);
        tell(NODE, VITALS, Map.of(), minute(-1, 60, 1, null));
        tell(NODE, VITALS, Map.of(), first);
        tell(NODE, VITALS, Map.of(), second);

        assertEquals(List.of(minute(-1, 60, 1, null), second), storage.minutes().of(NODE, minute.minusSeconds(60)));
        assertEquals(List.of(second), storage.minutes().of(NODE, minute));
        assertEquals(List.of(), storage.minutes().of(OTHER, minute));
    }

    @Test
    final void nodes_that_ran_side_by_side_are_added_up() {
        tell(NODE, VITALS, Map.of(), minute(0, 60, 7, 30L));
        tell(OTHER, VITALS, Map.of(), minute(0, 60, 5, 90L));

        NodeMinute both = storage.minutes().together(minute).get(0);

        assertEquals(60, both.seconds());
        assertEquals(12, both.succeeded());
        assertEquals(90L, both.runP95());
        assertEquals(2_000, both.heapUsed());
        assertEquals(8, both.running());
        assertEquals(-2, both.heapMax());
    }

    @Test
    final void a_node_that_followed_another_within_a_minute_covers_it_with_that_one() {
        tell(NODE, VITALS, Map.of(), minute(0, 40, 7, null));
        tell(OTHER, VITALS, Map.of(), minute(0, 10, 5, null));

        NodeMinute both = storage.minutes().together(minute).get(0);

        assertEquals(50, both.seconds());
        assertEquals(12, both.succeeded());
        assertEquals(1_000, both.heapUsed());
        assertEquals(4, both.running());
        assertNull(both.runP95());
    }

    @Test
    final void minutes_go_when_they_have_had_their_time_and_the_node_that_told_them_is_gone() {
        Duration old = Minutes.KEPT.plusHours(1);
        tell(OTHER, VITALS, Map.of(), minute(-old.toMinutes(), 60, 5, null));
        storage.leave(OTHER);

        tell(NODE, VITALS, Map.of(), minute(0, 20, 7, null));
        tell(NODE, VITALS, Map.of(), minute(0, 40, 7, null));

        assertEquals(List.of(minute(0, 40, 7, null)), storage.minutes().together(Instant.EPOCH));
    }

    private NodeMinute minute(long minutes, int seconds, long succeeded, @Nullable Long p95) {
        Instant at = minute.plus(Duration.ofMinutes(minutes));
        return new NodeMinute(at, seconds, succeeded, 1, null, p95, null, 4, 1_000, 2_000, -1, -1, 11);
    }

    private void tell(NodeId node, NodeVitals vitals, Map<String, String> facts, @Nullable NodeMinute minute) {
        NodeInfo info = new NodeInfo(node, "host " + node, "virtual threads", 100);
        storage.heartbeat(info.with(new NodeFigures(vitals, facts, minute)));
    }
}
