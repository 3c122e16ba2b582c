package dev.treadle.dashboard.live;

import dev.treadle.job.NodeId;
import dev.treadle.storage.NodeFigures;
import dev.treadle.storage.NodeMinute;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import dev.treadle.storage.admin.Minutes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The machines of all nodes as their heartbeats report them, and of this process each second. Thread-safe. */
final class Machines {
    /** How many seconds of this process are kept, one value each. */
    private static final int OWN_MAX = 600;
    /** How many heartbeats of each other node are kept. */
    private static final int TOLD_MAX = 200;
    /** Heartbeats closer than this are one. */
    private static final long SAME_MILLIS = 500;

    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private final Deque<Vitals> own = new ArrayDeque<>();
    /** Guarded by {@link #lock}. */
    private final Map<NodeId, Deque<Vitals>> told = new HashMap<>();

    void keepOwn(Vitals vitals) {
        lock.lock();
        try {
            add(own, vitals, OWN_MAX);
        } finally {
            lock.unlock();
        }
    }

    List<Vitals> own() {
        lock.lock();
        try {
            return List.copyOf(own);
        } finally {
            lock.unlock();
        }
    }

    /** What the nodes told that are there; those that are not are forgotten. */
    void keep(List<NodeSeen> nodes, long now) {
        lock.lock();
        try {
            Set<NodeId> there = nodes.stream().map(seen -> seen.node().id()).collect(Collectors.toSet());
            told.keySet().retainAll(there);
            for (NodeSeen seen : nodes) {
                NodeFigures figures = seen.node().figures();
                if (figures == null || seen.goneAt() != null) {
                    continue;
                }
                long at = now - seen.beatAgo().toMillis();
                Deque<Vitals> kept = told.computeIfAbsent(seen.node().id(), unseen -> new ArrayDeque<>());
                if (kept.isEmpty() || at - kept.getLast().t() > SAME_MILLIS) {
                    add(kept, Vitals.of(at, figures.vitals()), TOLD_MAX);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static void add(Deque<Vitals> kept, Vitals vitals, int max) {
        kept.addLast(vitals);
        if (kept.size() > max) {
            kept.removeFirst();
        }
    }

    /** The last report of a node; null if there is none. */
    @Nullable
    Vitals last(NodeId node) {
        lock.lock();
        try {
            Deque<Vitals> kept = told.get(node);
            return kept == null ? null : kept.peekLast();
        } finally {
            lock.unlock();
        }
    }

    /**
     * One node over a window, oldest first: what was seen from here, and before that its reports minute by minute.
     *
     * @param isOwn whether the node is in this process
     */
    List<Vitals> over(String window, NodeId node, boolean isOwn, Minutes minutes, long now) {
        long step = Series.STEP_SECONDS.getOrDefault(window, 1) * 1_000L;
        long from = now - step * Series.STEPS_MAX;
        List<Vitals> recent = isOwn ? own() : recent(node);
        boolean fine = step < NodeMinute.SECONDS * 1_000L;
        if (fine && !recent.isEmpty() && recent.get(0).t() <= from) {
            return recent.stream().filter(vitals -> vitals.t() >= from).toList();
        }
        long until = fine && !recent.isEmpty() ? recent.get(0).t() : Long.MAX_VALUE;
        List<Vitals> all = new ArrayList<>();
        for (NodeMinute minute : minutes.of(node, Instant.ofEpochMilli(from))) {
            Vitals next = Vitals.of(minute, now);
            Vitals last = all.isEmpty() ? null : all.get(all.size() - 1);
            if (next.t() >= until) {
                break;
            } else if (!fine && last != null && last.t() / step == next.t() / step) {
                all.set(all.size() - 1, last.and(next));
            } else {
                all.add(next);
            }
        }
        if (fine) {
            recent.stream().filter(vitals -> vitals.t() >= from).forEach(all::add);
        }
        return all;
    }

    private List<Vitals> recent(NodeId node) {
        lock.lock();
        try {
            Deque<Vitals> kept = told.get(node);
            return kept == null ? List.of() : List.copyOf(kept);
        } finally {
            lock.unlock();
        }
    }

    /** How much heap the nodes that are heard use and hold together, in bytes; null if none of them reports it. */
    @Nullable
    Heap heap(List<NodeSeen> nodes, Duration silentMax, @Nullable NodeId self, Vitals mine) {
        long used = 0;
        long size = 0;
        boolean any = false;
        for (NodeSeen seen : nodes) {
            boolean isSelf = seen.node().id().equals(self);
            Vitals vitals = isSelf ? mine : last(seen.node().id());
            if (vitals != null && seen.goneAt() == null && seen.beatAgo().compareTo(silentMax) <= 0) {
                used += vitals.heapUsed();
                size += vitals.heapSize();
                any = true;
            }
        }
        return any ? new Heap(used, size) : null;
    }

    /** In bytes. */
    record Heap(long used, long size) {}
}
