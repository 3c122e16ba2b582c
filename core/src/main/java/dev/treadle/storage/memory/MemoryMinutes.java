package dev.treadle.storage.memory;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.admin.Minutes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What nodes did, minute by minute, in memory. */
final class MemoryMinutes implements Minutes {
    private final ReentrantLock lock;
    /** Guarded by {@link #lock}. */
    private final TreeMap<Instant, Map<NodeId, NodeMinute>> minutes = new TreeMap<>();

    MemoryMinutes(ReentrantLock lock) {
        this.lock = lock;
    }

    /** Under the lock. */
    void keep(NodeInfo node, Instant now) {
        NodeMinute minute = node.figures() == null ? null : node.figures().minute();
        if (minute != null) {
            minutes.computeIfAbsent(minute.at(), unseen -> new HashMap<>()).put(node.id(), minute);
            minutes.headMap(now.minus(KEPT)).clear();
        }
    }

    @Override
    public List<NodeMinute> together(Instant since) {
        lock.lock();
        try {
            return minutes.tailMap(since).values().stream()
                    .map(nodes -> together(nodes.values()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<NodeMinute> of(NodeId node, Instant since) {
        lock.lock();
        try {
            return minutes.tailMap(since).values().stream()
                    .map(nodes -> nodes.get(node))
                    .filter(Objects::nonNull)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static NodeMinute together(Collection<NodeMinute> all) {
        List<NodeMinute> nodes = new ArrayList<>(all);
        int longest = nodes.stream().mapToInt(NodeMinute::seconds).max().orElse(0);
        long covered = Math.min(
                Math.max(NodeMinute.SECONDS, longest),
                nodes.stream().mapToLong(NodeMinute::seconds).sum());
        return new NodeMinute(
                nodes.get(0).at(),
                (int) covered,
                nodes.stream().mapToLong(NodeMinute::succeeded).sum(),
                nodes.stream().mapToLong(NodeMinute::failed).sum(),
                worst(nodes, NodeMinute::runP50),
                worst(nodes, NodeMinute::runP95),
                worst(nodes, NodeMinute::waitP95),
                (int) share(nodes, covered, NodeMinute::running),
                share(nodes, covered, NodeMinute::heapUsed),
                share(nodes, covered, NodeMinute::heapSize),
                share(nodes, covered, NodeMinute::heapMax),
                nodes.stream().mapToDouble(NodeMinute::cpu).max().orElse(-1),
                (int) share(nodes, covered, NodeMinute::threads));
    }

    private static @Nullable Long worst(List<NodeMinute> nodes, Function<NodeMinute, @Nullable Long> which) {
        return nodes.stream()
                .map(which)
                .filter(Objects::nonNull)
                .max(Long::compare)
                .orElse(null);
    }

    private static long share(List<NodeMinute> nodes, long covered, ToLongFunction<NodeMinute> which) {
        return nodes.stream()
                        .mapToLong(node -> which.applyAsLong(node) * node.seconds())
                        .sum()
                / covered;
    }
}
