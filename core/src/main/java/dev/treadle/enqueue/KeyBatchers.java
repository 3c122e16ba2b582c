package dev.treadle.enqueue;

import dev.treadle.job.JobId;
import dev.treadle.storage.NewJob;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Puts enqueues of the same key that come in at the same time into one commit. Each key has commits of its own, because a
 * transaction of the application may hold a key for long, and then only the enqueues of that key are to wait. Thread-safe.
 */
final class KeyBatchers {
    private final Function<List<NewJob>, Set<JobId>> insert;
    private final Map<String, Shared> byKey = new ConcurrentHashMap<>();

    /** @param insert keeps jobs in one commit */
    KeyBatchers(Function<List<NewJob>, Set<JobId>> insert) {
        this.insert = insert;
    }

    /** Those who enqueue for one key at this moment. */
    private record Shared(InsertBatcher batcher, int callers) {}

    /**
     * Keeps one job.
     *
     * @param line of the job's key
     * @throws dev.treadle.storage.StorageException if it may not have been kept
     */
    void insert(String line, NewJob job) {
        Shared shared = byKey.compute(
                line,
                (key, before) -> before == null
                        ? new Shared(new InsertBatcher(insert), 1)
                        : new Shared(before.batcher, before.callers + 1));
        try {
            shared.batcher.insert(job);
        } finally {
            byKey.computeIfPresent(
                    line, (key, before) -> before.callers == 1 ? null : new Shared(before.batcher, before.callers - 1));
        }
    }
}
