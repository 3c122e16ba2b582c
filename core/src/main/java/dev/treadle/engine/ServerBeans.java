package dev.treadle.engine;

import dev.treadle.dispatch.WorkerPoolStats;
import dev.treadle.job.ResourceUse;
import dev.treadle.server.QueueStats;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.watch.Beans;
import dev.treadle.watch.Reading;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The MBeans of a server: itself, its executors, its resources, and each queue from its first job on. Reading them sends
 * no statement, except for what waits in the storage, which is {@link QueueDepthCache cached}. A failure here is logged
 * once, and the server goes on without MBeans. One thread takes turns; any thread may close.
 */
final class ServerBeans implements AutoCloseable {
    /** Most queues that are shown, in queues. */
    static final int QUEUES_MAX = 200;

    /**
     * A server that has jobs registers nothing before this time. Setting up JMX takes a tenth of a second of CPU, and a
     * process that has just started needs that for its jobs.
     */
    private static final Duration BUSY_SHOWN_AFTER = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ServerBeans.class);

    private final Node node;
    private final StorageProvider storage;
    private final Supplier<ServerState> state;
    private final QueueDepthCache waiting;
    private final InstantSource time;
    private final Instant showBusyFrom;
    /** Keeps turns and the close apart, so that nothing is registered after the close. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, like the fields below. */
    private final Set<String> queues = new HashSet<>();

    private @Nullable Beans beans;
    private boolean off;

    ServerBeans(Node node, StorageProvider storage, InstantSource time, Supplier<ServerState> state) {
        this.state = state;
        this.node = node;
        this.storage = storage;
        this.waiting =
                new QueueDepthCache(() -> AdminStorage.of(storage).queues().states(), time);
        this.time = time;
        this.showBusyFrom = time.instant().plus(BUSY_SHOWN_AFTER);
    }

    /** Registers what is not registered yet. */
    void turn() {
        lock.lock();
        try {
            if (!off && !isTooEarly()) {
                showWhatIsNew();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isTooEarly() {
        return beans == null && node.inFlight().size() > 0 && time.instant().isBefore(showBusyFrom);
    }

    private void showWhatIsNew() {
        try {
            if (beans == null) {
                beans = new Beans(node.self().name(), server());
                node.localQueues().poolStats().forEach(this::show);
                node.resources().forEach(this::show);
            }
            for (QueueStats stats : node.localQueues().queueStats()) {
                if (queues.size() < QUEUES_MAX && queues.add(stats.queue())) {
                    show(stats);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            off = true;
            LOG.warn(
                    "{} cannot be watched through JMX, but runs jobs: {}",
                    node.self().name(),
                    e.toString());
        }
    }

    private List<Reading> server() {
        NodeInfo self = node.self();
        return List.of(
                Reading.text(
                        "Id", "The node's id in the storage", () -> self.id().toString()),
                Reading.text(
                        "State",
                        "RUNNING, or STOPPING while running jobs are waited for",
                        () -> state.get().name()),
                Reading.text("Storage", "Where its jobs are kept", storage::description),
                Reading.text("Executors", "Who lends the threads", self::executor),
                Reading.number("Permits", "Jobs that may run at once", () -> poolSum(WorkerPoolStats::permits)),
                Reading.number("Admitted", "Jobs that may run at once beside what is live in the heap", () ->
                        (long) node.admitted().admitted()),
                Reading.number("Running", "Jobs that run now", () -> (long) node.running()),
                Reading.number("Forks", "Threads that forks of jobs have now", () -> poolSum(WorkerPoolStats::forks)),
                Reading.number(
                        "InFlight", "Jobs claimed and not yet written down: waiting here, running or just ended", () ->
                                (long) node.inFlight().size()),
                Reading.number(
                        "WaitingForPermit",
                        "Jobs claimed here that wait for a permit",
                        () -> queueSum(QueueStats::waiting)),
                Reading.number("Unwritten", "Endings that wait to be written down", () -> (long) node.unwritten()),
                Reading.number("Claimed", "Jobs claimed since the start", () -> queueSum(QueueStats::claimed)),
                Reading.number(
                        "Completed", "Attempts that ended well since the start", () -> queueSum(QueueStats::completed)),
                Reading.number("Failed", "Attempts that threw since the start", () -> queueSum(QueueStats::failed)),
                Reading.number("PausedQueues", "Queues that this server serves and that are paused", () ->
                        (long) node.pausedQueues()),
                Reading.number("Due", about("Jobs of all queues that may run now and have not begun"), waiting::due),
                Reading.number(
                        "OldestWaitingMillis",
                        about("For how long the first of those has been due, in ms"),
                        waiting::oldestMillis));
    }

    private static String about(String what) {
        return what + "; from the storage, at most " + QueueDepthCache.FRESH_MILLIS + " ms old, "
                + QueueDepthCache.UNKNOWN + " if it does not answer";
    }

    private void show(WorkerPoolStats pool) {
        String name = pool.executor();
        shown().show(
                        "Executor",
                        name,
                        "An executor that lends threads to jobs",
                        List.of(
                                Reading.number(
                                        "Permits",
                                        "Jobs that may run on it at once",
                                        ofPool(name, WorkerPoolStats::permits)),
                                Reading.number(
                                        "PermitsTaken",
                                        "Permits taken by jobs and forks",
                                        ofPool(name, WorkerPoolStats::taken)),
                                Reading.number(
                                        "Running", "Jobs that run on it now", ofPool(name, WorkerPoolStats::running)),
                                Reading.number(
                                        "Forks",
                                        "Threads that forks of its jobs have now",
                                        ofPool(name, WorkerPoolStats::forks))));
    }

    private void show(ResourceUse resource) {
        String name = resource.name();
        shown().show(
                        "Resource",
                        name,
                        "What jobs use that there is not enough of for all",
                        List.of(
                                Reading.number(
                                        "Permits",
                                        "How many there are; 0 if nothing was set",
                                        ofResource(name, use -> use.permits() == null ? 0 : use.permits())),
                                Reading.number("InUse", "How many are held", ofResource(name, ResourceUse::inUse)),
                                Reading.number(
                                        "Waiting",
                                        "Who waits for some: running jobs, and kinds of whole jobs, one each",
                                        ofResource(name, ResourceUse::waiting))));
    }

    private void show(QueueStats stats) {
        String queue = stats.queue();
        shown().show(
                        "Queue",
                        queue,
                        "What a server has to do with one queue",
                        List.of(
                                Reading.flag(
                                        "Paused",
                                        "Whether this server starts none of its jobs",
                                        () -> node.isPaused(queue)),
                                Reading.text("Executor", "Who lends threads to its jobs", stats::executor),
                                Reading.number(
                                        "Limit",
                                        "Jobs of it that may run here at once; 0 if only the executor's permits say",
                                        () -> stats.limit() == null ? 0L : stats.limit()),
                                Reading.number("Weight", "Its share beside other queues", () -> (long) stats.weight()),
                                Reading.number(
                                        "InFlight",
                                        "Jobs claimed and not yet written down",
                                        ofQueue(queue, QueueStats::held)),
                                Reading.number(
                                        "WaitingForPermit",
                                        "Jobs claimed here that wait for a permit",
                                        ofQueue(queue, QueueStats::waiting)),
                                Reading.number(
                                        "Claimed", "Jobs claimed since the start", ofQueue(queue, QueueStats::claimed)),
                                Reading.number(
                                        "Completed",
                                        "Attempts that ended well since the start",
                                        ofQueue(queue, QueueStats::completed)),
                                Reading.number(
                                        "Failed",
                                        "Attempts that threw since the start",
                                        ofQueue(queue, QueueStats::failed)),
                                Reading.number(
                                        "Due",
                                        about("Jobs of it that may run now and have not begun"),
                                        () -> waiting.due(queue)),
                                Reading.number(
                                        "OldestWaitingMillis",
                                        about("For how long the first of those has been due, in ms"),
                                        () -> waiting.oldestMillis(queue))));
    }

    private Beans shown() {
        return Objects.requireNonNull(beans);
    }

    private long poolSum(ToLongFunction<WorkerPoolStats> value) {
        return node.localQueues().poolStats().stream().mapToLong(value).sum();
    }

    private long queueSum(ToLongFunction<QueueStats> value) {
        return node.localQueues().queueStats().stream().mapToLong(value).sum();
    }

    private Supplier<Long> ofPool(String name, ToLongFunction<WorkerPoolStats> value) {
        return () -> node.localQueues().poolStats().stream()
                .filter(pool -> pool.executor().equals(name))
                .mapToLong(value)
                .sum();
    }

    private Supplier<Long> ofResource(String name, ToLongFunction<ResourceUse> value) {
        return () -> node.resources().stream()
                .filter(use -> use.name().equals(name))
                .mapToLong(value)
                .sum();
    }

    private Supplier<Long> ofQueue(String queue, ToLongFunction<QueueStats> value) {
        return () -> node.localQueues().queueStats().stream()
                .filter(stats -> stats.queue().equals(queue))
                .mapToLong(value)
                .sum();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            off = true;
            if (beans != null) {
                beans.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
