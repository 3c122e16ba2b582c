package dev.treadle.maintenance;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeBeat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds silent nodes: those whose heartbeat has not changed for as long as they may be silent, measured by the clock of the
 * watching node. Clocks of other machines play no part, so setting them changes nothing. Used by one thread.
 */
final class SilenceWatch {
    /** How long a node may be silent if it does not say. */
    private final Duration defaultLimit;

    private Map<NodeId, Seen> seen = Map.of();

    /** A heartbeat, and a time at which it was surely there. */
    private record Seen(long mark, Instant at) {}

    /**
     * What one look found.
     *
     * @param silent    the nodes that are silent now
     * @param untilNext how long until another node can be silent, at most the default limit
     */
    record Look(List<NodeBeat> silent, Duration untilNext) {}

    SilenceWatch(Duration defaultLimit) {
        this.defaultLimit = defaultLimit;
    }

    /**
     * Compares the heartbeats of all other nodes with those of the previous look.
     *
     * @param asked    when the storage was asked
     * @param answered when the answer came, perhaps much later
     * @param steady   since when heartbeats could be written, as far as this node knows; silence before that does not count
     */
    Look look(List<NodeBeat> others, Instant asked, Instant answered, Instant steady) {
        Map<NodeId, Seen> now = new HashMap<>();
        List<NodeBeat> silent = new ArrayList<>();
        Duration untilNext = defaultLimit;
        for (NodeBeat beat : others) {
            Seen before = seen.get(beat.node());
            Seen last = before != null && before.mark == beat.mark() ? before : new Seen(beat.mark(), answered);
            now.put(beat.node(), last);
            Instant from = last.at.isBefore(steady) ? steady : last.at;
            Instant dead = from.plus(beat.deadAfter() == null ? defaultLimit : beat.deadAfter());
            if (!asked.isBefore(dead)) {
                silent.add(beat);
            } else if (answered.isBefore(dead)) {
                Duration until = Duration.between(answered, dead);
                untilNext = until.compareTo(untilNext) < 0 ? until : untilNext;
            }
        }
        // nodes that no longer exist are forgotten
        seen = now;
        return new Look(silent, untilNext);
    }
}
