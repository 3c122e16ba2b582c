package dev.treadle.storage.memory;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs that wait for a node that knows how to run them. Guarded by the lock of its storage. */
final class MemoryParked {
    private final Map<JobId, Job> jobs;
    private final MemoryNodes nodes;
    private final Map<JobId, By> parked = new LinkedHashMap<>();

    MemoryParked(Map<JobId, Job> jobs, MemoryNodes nodes) {
        this.jobs = jobs;
        this.nodes = nodes;
    }

    void put(JobId id, By by) {
        parked.put(id, by);
    }

    void remove(JobId id) {
        parked.remove(id);
    }

    /** Those of some lanes that a node did not park itself for good, or that were parked before it was first seen. */
    Stream<Job> thatMayBeTried(NodeId node, Set<Lane> lanes) {
        Instant since = nodes.since(node);
        return parked.entrySet().stream()
                .filter(entry -> entry.getValue().mayBeTriedBy(since))
                .map(entry -> jobs.get(entry.getKey()))
                .filter(job -> job != null && lanes.contains(job.traits().lane()));
    }

    /** Which node parked a job, whether it knew the target, and when. */
    record By(NodeId node, boolean known, Instant at) {
        private boolean mayBeTriedBy(@Nullable Instant since) {
            return !known || since != null && at.isBefore(since);
        }
    }
}
