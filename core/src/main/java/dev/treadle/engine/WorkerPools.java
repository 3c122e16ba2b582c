package dev.treadle.engine;

import dev.treadle.dispatch.LocalQueues;
import dev.treadle.dispatch.QueueConfig;
import dev.treadle.dispatch.WorkerPool;
import dev.treadle.server.QueueSettings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The executors of a node, and how many jobs may run on each.
 *
 * @param usual for the queues that name no executor
 * @param named for the queues that name one, by that name
 */
public record WorkerPools(PoolConfig usual, Map<String, PoolConfig> named) {
    /**
     * One executor.
     *
     * @param workers how many jobs may run on it at once
     */
    public record PoolConfig(Executor executor, int workers) {}

    /** One executor for all queues. */
    public static WorkerPools of(Executor executor, int workers) {
        return new WorkerPools(new PoolConfig(executor, workers), Map.of());
    }

    /** How many jobs may run at once, over all executors. */
    int workers() {
        int workers = usual.workers;
        for (PoolConfig pool : named.values()) {
            workers += pool.workers;
        }
        return workers;
    }

    /** Makes the local queues of a node: one for each queue that has settings. */
    LocalQueues localQueues(QueueSelection selection, InstantSource time) {
        WorkerPool usualPool = new WorkerPool(usual.executor, usual.workers);
        Map<String, WorkerPool> namedPools = new HashMap<>();
        named.forEach((name, pool) -> namedPools.put(name, new WorkerPool(pool.executor, pool.workers)));
        List<QueueConfig> configs = new ArrayList<>();
        for (QueueSettings queue : selection.queues()) {
            WorkerPool pool =
                    queue.executor() == null ? usualPool : namedPools.getOrDefault(queue.executor(), usualPool);
            configs.add(new QueueConfig(queue.queue(), queue.concurrency(), queue.weight(), pool));
        }
        return new LocalQueues(usualPool, configs, time);
    }
}
