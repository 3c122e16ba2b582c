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
 * Which nodes are silent: those whose last heartbeat has stayed the same for as long as they may be silent, by the time
 * of the node that watches. No clock of another machine takes part in that, so setting one changes nothing. For one thread.
 */
final class SilenceWatch {
    /** How long nodes may be silent that do not tell. */
    private final Duration usual;

    private Map<NodeId, Seen> seen = Map.of();

    /** A heartbeat, and when it was there for sure. */
    private record Seen(long mark, Instant at) {}

    /**
     * What one look found.
     *
     * @param silent    who is silent now
     * @param untilNext how long until another can be, at most the usual silence
     */
    record Look(List<NodeBeat> silent, Duration untilNext) {}

    SilenceWatch(Duration usual) {
        this.usual = usual;
    }

    /**
     * Compares the heartbeats of all other nodes with those of the look before.
     *
     * @param asked    when the storage was asked: it may have been long before its answer
     * @param answered when that had been answered
     * @param steady   since when nothing was in the way of heartbeats as far as this node can tell; no silence before that
     *                 counts
     */
    Look look(List<NodeBeat> others, Instant asked, Instant answered, Instant steady) {
        Map<NodeId, Seen> now = new HashMap<>();
        List<NodeBeat> silent = new ArrayList<>();
        Duration untilNext = usual;
        for (NodeBeat beat : others) {
            Seen before = seen.get(beat.node());
            Seen last = before != null && before.mark == beat.mark() ? before : new Seen(beat.mark(), answered);
            now.put(beat.node(), last);
            Instant from = last.at.isBefore(steady) ? steady : last.at;
            Instant dead = from.plus(beat.deadAfter() == null ? usual : beat.deadAfter());
            if (!asked.isBefore(dead)) {
                silent.add(beat);
            } else if (answered.isBefore(dead)) {
                Duration until = Duration.between(answered, dead);
                untilNext = until.compareTo(untilNext) < 0 ? until : untilNext;
            }
        }
        // those that are not there any more are forgotten
        seen = now;
        return new Look(silent, untilNext);
    }
}
