package dev.treadle.storage;

import dev.treadle.job.NodeId;
import dev.treadle.storage.JobSearch.NodeSeen;
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

    MemoryNodes(InstantSource time) {
        this.time = time;
    }

    boolean beat(NodeInfo node) {
        Instant now = time.instant();
        nodes.merge(
                node.id(),
                new Life(node.with(standing(node)), now, now, null),
                (before, fresh) -> new Life(node.with(standing(node)), before.since, now, null));
        return true;
    }

    /** What is seen of a node is how it stands; its minutes are kept apart. */
    private static @Nullable NodeFigures standing(NodeInfo node) {
        NodeFigures figures = node.figures();
        return figures == null ? null : new NodeFigures(figures.vitals(), figures.facts(), null);
    }

    boolean leave(NodeId node) {
        return nodes.computeIfPresent(node, (id, life) -> new Life(life.info, life.since, life.beatAt, time.instant()))
                != null;
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

    boolean isAlive(NodeId node, Duration silentFor) {
        Life life = nodes.get(node);
        return life != null
                && life.goneAt == null
                && !life.beatAt.isBefore(time.instant().minus(silentFor));
    }

    /** Whether it was seen and is not known to be gone. */
    boolean isThere(NodeId node) {
        Life life = nodes.get(node);
        return life != null && life.goneAt == null;
    }

    List<NodeId> bury(Duration silentFor, Predicate<NodeId> holdsLease) {
        List<NodeId> dead = nodes.keySet().stream()
                .filter(node -> nodes.get(node).goneAt == null)
                .filter(node -> !isAlive(node, silentFor) && !holdsLease.test(node))
                .toList();
        dead.forEach(this::leave);
        return dead;
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
            @Nullable Instant goneAt) {}
}
