package dev.treadle.dispatch;

import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import dev.treadle.server.QueueStats;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The queues on this node by name: the configured ones, and one for each other queue as it turns up. Thread-safe. */
public final class LocalQueues {
    private static final String OUT_OF_MEMORY = OutOfMemoryError.class.getName();

    private final WorkerPool defaultPool;
    private final Set<WorkerPool> pools = new LinkedHashSet<>();
    private final Map<String, LocalQueue> queues = new ConcurrentHashMap<>();
    private final AtomicLong ranOut = new AtomicLong();
    private final InstantSource time;

    /** @param defaultPool runs the jobs of queues that have no settings of their own */
    public LocalQueues(WorkerPool defaultPool, List<QueueConfig> configs, InstantSource time) {
        this.defaultPool = defaultPool;
        this.time = time;
        pools.add(defaultPool);
        for (QueueConfig config : configs) {
            pools.add(config.pool());
            add(config);
        }
    }

    private LocalQueue add(QueueConfig config) {
        return queues.computeIfAbsent(config.queue(), unseen -> {
            LocalQueue queue = new LocalQueue(config, time);
            config.pool().add(queue);
            return queue;
        });
    }

    InstantSource time() {
        return time;
    }

    LocalQueue of(String name) {
        LocalQueue known = queues.get(name);
        return known != null ? known : add(new QueueConfig(name, null, 1, defaultPool));
    }

    Collection<WorkerPool> pools() {
        return pools;
    }

    Collection<LocalQueue> all() {
        return queues.values();
    }

    /**
     * Limits how many jobs run at once on this node. The limit is shared among the executors in proportion to their permits;
     * each keeps at least one.
     */
    void limitTo(int jobs) {
        long total = pools.stream().mapToInt(pool -> pool.permits().total()).sum();
        pools.forEach(pool -> {
            Permits permits = pool.permits();
            permits.limitTo((int) ((jobs * (long) permits.total() + total - 1) / total));
        });
    }

    /** Counts an attempt that has ended. */
    void endedOne(LocalQueue queue, Outcome outcome) {
        queue.endedOne();
        if (outcome instanceof Outcome.Threw threw && threw.failure().type().equals(OUT_OF_MEMORY)) {
            ranOut.incrementAndGet();
        }
    }

    /** How many attempts on this node ended with an OutOfMemoryError. */
    public long ranOut() {
        return ranOut.get();
    }

    /** How many attempts have ended on this node. */
    public long ended() {
        return queues.values().stream().mapToLong(LocalQueue::ended).sum();
    }

    /** Whether claimed jobs are waiting for a permit. */
    public boolean isAnyWaiting() {
        return queues.values().stream().anyMatch(queue -> !queue.waiting().isEmpty());
    }

    /** How many more jobs of a lane could be claimed, or of any lane if it is null. */
    int room(@Nullable Lane lane) {
        if (lane == null) {
            return pools.stream().mapToInt(pool -> Math.max(0, pool.room())).sum();
        }
        LocalQueue queue = of(lane.queue());
        return queue.room(queue.pool().room());
    }

    boolean isAnyRoom() {
        return pools.stream().anyMatch(pool -> pool.room() > 0);
    }

    /** How many jobs could run at once with all permits open. */
    public int total() {
        return pools.stream().mapToInt(pool -> pool.permits().total()).sum();
    }

    /** Counts an attempt that ran here and whose ending has been recorded. */
    public void count(Transition ending) {
        of(ending.lease().job().traits().queue()).count(ending);
    }

    /** The figures of each configured queue, and of each queue that this node has had a job from. */
    public List<QueueStats> queueStats() {
        return queues.values().stream().map(LocalQueue::stats).toList();
    }

    /** The figures of each executor, the default one first. */
    public List<WorkerPoolStats> poolStats() {
        return pools.stream().map(WorkerPool::stats).toList();
    }

    /** How many jobs are running now. */
    public int running() {
        return pools.stream().mapToInt(WorkerPool::running).sum();
    }
}
