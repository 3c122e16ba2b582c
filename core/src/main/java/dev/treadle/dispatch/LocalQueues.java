package dev.treadle.dispatch;

import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import dev.treadle.server.QueueStats;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The queues on this node by name: the configured ones, and one for each other queue as it turns up. Thread-safe. */
public final class LocalQueues {
    private static final String OUT_OF_MEMORY = OutOfMemoryError.class.getName();

    private final WorkerPool defaultPool;
    private final Map<WorkerPool, PoolQueues> pools = new LinkedHashMap<>();
    private final Map<String, LocalQueue> queues = new ConcurrentHashMap<>();
    private final AtomicLong ranOut = new AtomicLong();
    private final InstantSource time;

    /** @param defaultPool runs the jobs of queues that have no settings of their own */
    public LocalQueues(WorkerPool defaultPool, List<QueueConfig> configs, InstantSource time) {
        this.defaultPool = defaultPool;
        this.time = time;
        pools.put(defaultPool, new PoolQueues(defaultPool));
        for (QueueConfig config : configs) {
            pools.computeIfAbsent(config.pool(), PoolQueues::new);
            add(config);
        }
    }

    private LocalQueue add(QueueConfig config) {
        return queues.computeIfAbsent(config.queue(), unseen -> {
            LocalQueue queue = new LocalQueue(config, time);
            sharing(queue).add(queue);
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

    Collection<PoolQueues> pools() {
        return pools.values();
    }

    /** The queues that share their worker pool with this one. */
    PoolQueues sharing(LocalQueue queue) {
        return Objects.requireNonNull(pools.get(queue.pool()), "a queue's pool is known before the queue");
    }

    /** Starts waiting jobs of a queue, and of those that share its pool, while permits last. */
    void handOver(LocalQueue queue, PoolQueues.Starter start) {
        sharing(queue).handOver(queue, start);
    }

    /** Gives back the permits of a job. */
    void giveBack(LocalQueue queue) {
        sharing(queue).giveBack(queue);
    }

    Collection<LocalQueue> all() {
        return queues.values();
    }

    /**
     * Limits how many jobs run at once on this node. The limit is shared among the executors in proportion to their permits;
     * each keeps at least one.
     */
    void limitTo(int jobs) {
        long total = total();
        pools.keySet().forEach(pool -> {
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
            return pools().stream().mapToInt(pool -> Math.max(0, pool.room())).sum();
        }
        LocalQueue queue = of(lane.queue());
        return queue.room(sharing(queue).room());
    }

    boolean isAnyRoom() {
        return pools().stream().anyMatch(pool -> pool.room() > 0);
    }

    /** How many jobs could run at once with all permits open. */
    public int total() {
        return pools.keySet().stream().mapToInt(pool -> pool.permits().total()).sum();
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
        return pools.keySet().stream().map(WorkerPool::stats).toList();
    }

    /** How many jobs are running now. */
    public int running() {
        return pools.keySet().stream().mapToInt(WorkerPool::running).sum();
    }
}
