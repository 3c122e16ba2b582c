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
 * Who lends the threads of a node.
 *
 * @param usual to jobs of queues that name no other
 * @param named to jobs of queues that name it
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

    /** How many jobs may run at once in all. */
    int workers() {
        int workers = usual.workers;
        for (PoolConfig hired : named.values()) {
            workers += hired.workers;
        }
        return workers;
    }

    LocalQueues lines(QueueSelection serving, InstantSource time) {
        WorkerPool usualCrew = new WorkerPool(usual.executor, usual.workers);
        Map<String, WorkerPool> crews = new HashMap<>();
        named.forEach((name, hired) -> crews.put(name, new WorkerPool(hired.executor, hired.workers)));
        List<QueueConfig> lines = new ArrayList<>();
        for (QueueSettings queue : serving.queues()) {
            WorkerPool crew = queue.executor() == null ? usualCrew : crews.getOrDefault(queue.executor(), usualCrew);
            lines.add(new QueueConfig(queue.queue(), queue.concurrency(), queue.weight(), crew));
        }
        return new LocalQueues(usualCrew, lines, time);
    }
}
