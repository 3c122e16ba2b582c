package dev.treadle.storage.memory;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Which nodes live. Guarded by the lock of its storage. */
final class MemoryNodes {
    private final InstantSource time;
    private final Map<NodeId, Life> nodes = new LinkedHashMap<>();
    /** How many heartbeats there were; the last number of each node is its mark. */
    private long beats;

    MemoryNodes(InstantSource time) {
        this.time = time;
    }

    boolean beat(NodeInfo node) {
        Instant now = time.instant();
        long mark = ++beats;
        nodes.merge(
                node.id(),
                new Life(node.with(standing(node)), now, now, mark, null),
                (before, fresh) -> new Life(node.with(standing(node)), before.since, now, mark, null));
        return true;
    }

    /** A node's visible state; its minutes are kept apart. */
    private static @Nullable NodeFigures standing(NodeInfo node) {
        NodeFigures figures = node.figures();
        return figures == null ? null : new NodeFigures(figures.vitals(), figures.facts(), null);
    }

    /** All that live, then those that went after a time. */
    List<NodeSeen> seen(Instant goneAfter, ToIntFunction<NodeId> running) {
        Instant now = time.instant();
        return nodes.values().stream()
                .filter(life -> life.goneAt == null || life.goneAt.isAfter(goneAfter))
                .sorted(Comparator.comparing((Life life) -> life.goneAt != null).thenComparing(Life::since))
                .map(life -> new NodeSeen(
                        life.info,
                        life.since,
                        Duration.between(life.beatAt, now),
                        life.goneAt,
                        running.applyAsInt(life.info.id())))
                .toList();
    }

    /** Whether it was seen and is not known to be gone. */
    boolean isThere(NodeId node) {
        Life life = nodes.get(node);
        return life != null && life.goneAt == null;
    }

    List<NodeBeat> beats() {
        return nodes.values().stream()
                .filter(life -> life.goneAt == null)
                .map(life -> new NodeBeat(life.info.id(), life.mark, life.info.deadAfter()))
                .toList();
    }

    /** @param last do nothing if another heartbeat has come since; null to do it in any case */
    boolean gone(NodeId node, @Nullable NodeBeat last) {
        Life life = nodes.get(node);
        if (life == null || life.goneAt != null || last != null && last.mark() != life.mark) {
            return false;
        }
        nodes.put(node, new Life(life.info, life.since, life.beatAt, life.mark, time.instant()));
        return true;
    }

    /** Forgets nodes that went before a time and hold no lease. */
    boolean forget(Instant goneBefore, Predicate<NodeId> holdsLease) {
        return nodes.values()
                .removeIf(life ->
                        life.goneAt != null && life.goneAt.isBefore(goneBefore) && !holdsLease.test(life.info.id()));
    }

    /** When the node was first seen; null if it never was. */
    @Nullable
    Instant since(NodeId node) {
        Life life = nodes.get(node);
        return life == null ? null : life.since;
    }

    private record Life(
            NodeInfo info,
            Instant since,
            Instant beatAt,
            long mark,
            @Nullable Instant goneAt) {}
}
