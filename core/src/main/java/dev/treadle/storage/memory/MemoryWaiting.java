package dev.treadle.storage.memory;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import java.time.Instant;
import java.util.Comparator;

/** A job that waits for its time or for a permit. */
record MemoryWaiting(JobId id, Lane lane, int priority, Instant at) {
    static final Comparator<MemoryWaiting> READY_ORDER = Comparator.comparingInt(MemoryWaiting::priority)
            .thenComparing(MemoryWaiting::at)
            .thenComparing(MemoryWaiting::id);
    static final Comparator<MemoryWaiting> DUE_ORDER =
            Comparator.comparing(MemoryWaiting::at).thenComparing(MemoryWaiting::id);

    static MemoryWaiting of(Job job, Instant at) {
        return new MemoryWaiting(job.id(), job.traits().lane(), job.priority(), at);
    }
}
