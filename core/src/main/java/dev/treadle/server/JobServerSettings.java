package dev.treadle.server;

import dev.treadle.executor.ExecutorSettings;
import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.RetentionSettings;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server, including what its node may use. Each setting is checked when it is set. Immutable.
 *
 * <pre>{@code
 * JobServerSettings.DEFAULT
 *         .withWorkers(200)
 *         .withQueues(QueueSettings.of("mail").withConcurrency(20))
 *         .withResource("connections", 30)
 *         .withHeapGuard(HeapGuardSettings.DEFAULT)
 * }</pre>
 */
public final class JobServerSettings {
    /** Most permits of one resource. */
    public static final int PERMITS_MAX = 1_000_000;

    /**
     * Rescue after 15 s, a look every 200 ms, 10 s for running jobs to finish, {@link RetryPolicy#DEFAULT}, all queues,
     * no tags, {@link RetentionSettings#DEFAULT}, no resources, no heap guard.
     */
    public static final JobServerSettings DEFAULT = new JobServerSettings(new Draft());

    private final @Nullable String name;
    private final @Nullable Integer workers;
    private final Duration deadAfter;
    private final Duration pollMax;
    private final Duration stopPatience;
    private final RetryPolicy retries;
    private final List<QueueSettings> queues;
    private final boolean othersServed;
    private final Set<String> tags;
    private final RetentionSettings retention;
    private final Map<String, Integer> resources;
    private final @Nullable HeapGuardSettings heapGuard;

    private JobServerSettings(Draft draft) {
        this.name = draft.name;
        this.workers = draft.workers;
        this.deadAfter = checked("deadAfter", draft.deadAfter, Duration.ofSeconds(1), Duration.ofHours(1));
        this.pollMax = checked("pollMax", draft.pollMax, Duration.ofMillis(20), Duration.ofMinutes(1));
        this.stopPatience = checked("stopPatience", draft.stopPatience, Duration.ZERO, Duration.ofHours(1));
        this.retries = draft.retries;
        this.queues = checked(draft.queues, draft.othersServed);
        this.othersServed = draft.othersServed;
        this.tags = draft.tags;
        this.retention = draft.retention;
        this.resources = draft.resources;
        this.heapGuard = draft.heapGuard;
    }

    /** The name of the node for people; null for host and process id. */
    public @Nullable String name() {
        return name;
    }

    /** How many jobs run at once on the server's executor; null leaves it to the executor. */
    public @Nullable Integer workers() {
        return workers;
    }

    /** How long this node may be silent before other nodes rescue its jobs. */
    public Duration deadAfter() {
        return deadAfter;
    }

    /** The longest pause between two looks for work if the storage does not notify. */
    public Duration pollMax() {
        return pollMax;
    }

    /** How long running jobs may continue after the server was told to close, before they are interrupted. */
    public Duration stopPatience() {
        return stopPatience;
    }

    /** The retry policy of jobs that have none of their own. */
    public RetryPolicy retries() {
        return retries;
    }

    /** The queues that have settings. */
    public List<QueueSettings> queues() {
        return queues;
    }

    /** Whether the server also serves queues that have no settings. */
    public boolean servesOtherQueues() {
        return othersServed;
    }

    /** The tags of the node. A job that asks for tags runs only on a node that has all of them. */
    public Set<String> tags() {
        return tags;
    }

    /** How long ended jobs are kept. */
    public RetentionSettings retention() {
        return retention;
    }

    /** The permits of each resource, in the order in which a job that holds one resource may ask for others. */
    public Map<String, Integer> resources() {
        return resources;
    }

    /** The heap guard; null if there is none. */
    public @Nullable HeapGuardSettings heapGuard() {
        return heapGuard;
    }

    /** Names the node for people. Without a name it is called by its host and process id. */
    public JobServerSettings withName(String name) {
        Draft draft = new Draft(this);
        draft.name = name;
        return new JobServerSettings(draft);
    }

    /**
     * Sets how many jobs run at once on the server's executor. Executors that queues name have workers of their own.
     *
     * @param workers 1 to {@value ExecutorSettings#WORKERS_MAX}
     */
    public JobServerSettings withWorkers(int workers) {
        if (workers < 1 || workers > ExecutorSettings.WORKERS_MAX) {
            throw new IllegalArgumentException("JobServerSettings.workers is " + workers + " and must be 1 to "
                    + ExecutorSettings.WORKERS_MAX + ". Leave it out to let the executor choose.");
        }
        Draft draft = new Draft(this);
        draft.workers = workers;
        return new JobServerSettings(draft);
    }

    /**
     * Sets how long this node may be silent before other nodes rescue its jobs. The node publishes this time, so nodes may
     * use different ones.
     *
     * @param deadAfter 1 s to 1 h
     */
    public JobServerSettings withDeadAfter(Duration deadAfter) {
        Draft draft = new Draft(this);
        draft.deadAfter = deadAfter;
        return new JobServerSettings(draft);
    }

    /**
     * Sets the longest pause between two looks for work if the storage does not notify. If it does, one look every 2 s is
     * enough. A job that was enqueued in this process is always seen at once.
     *
     * @param pollMax 20 ms to 1 min
     */
    public JobServerSettings withPollMax(Duration pollMax) {
        Draft draft = new Draft(this);
        draft.pollMax = pollMax;
        return new JobServerSettings(draft);
    }

    /**
     * Sets how long running jobs may continue after the server was told to close, before they are interrupted.
     *
     * @param stopPatience 0 to 1 h
     */
    public JobServerSettings withStopPatience(Duration stopPatience) {
        Draft draft = new Draft(this);
        draft.stopPatience = stopPatience;
        return new JobServerSettings(draft);
    }

    /** Sets the retry policy of jobs that have none of their own. */
    public JobServerSettings withRetries(RetryPolicy retries) {
        Draft draft = new Draft(this);
        draft.retries = retries;
        return new JobServerSettings(draft);
    }

    /** Serves these queues with these settings, and all other queues with the default ones. */
    public JobServerSettings withQueues(QueueSettings... queues) {
        Draft draft = new Draft(this);
        draft.queues = List.of(queues);
        draft.othersServed = true;
        return new JobServerSettings(draft);
    }

    /** Serves only these queues. */
    public JobServerSettings withOnlyQueues(QueueSettings... queues) {
        Draft draft = new Draft(this);
        draft.queues = List.of(queues);
        draft.othersServed = false;
        return new JobServerSettings(draft);
    }

    /** Gives the node these tags and no others. A job that asks for tags runs only on a node that has all of them. */
    public JobServerSettings withTags(String... tags) {
        Draft draft = new Draft(this);
        draft.tags = JobTraits.DEFAULT.withTags(tags).tags();
        return new JobServerSettings(draft);
    }

    /** Sets how long ended jobs are kept. Use the same setting on all nodes. */
    public JobServerSettings withRetention(RetentionSettings retention) {
        Draft draft = new Draft(this);
        draft.retention = retention;
        return new JobServerSettings(draft);
    }

    /**
     * Adds a resource of this node, such as the connections of a pool. Jobs that
     * {@linkplain JobTraits#withUses use} it hold its permits while they run, and parts of jobs can hold them too
     * ({@link dev.treadle.job.JobContext#using}). A job that holds one resource may ask only for resources that were added
     * after it.
     *
     * @param permits 1 to {@value #PERMITS_MAX}
     * @throws IllegalArgumentException if it is out of range, or the resource was added before
     */
    public JobServerSettings withResource(String name, int permits) {
        JobTraits.DEFAULT.withUses(name);
        if (permits < 1 || permits > PERMITS_MAX) {
            throw new IllegalArgumentException(
                    "The resource '" + name + "' has " + permits + " permits and must have 1 to " + PERMITS_MAX + ".");
        }
        Map<String, Integer> all = new LinkedHashMap<>(resources);
        if (all.putIfAbsent(name, permits) != null) {
            throw new IllegalArgumentException("The resource '" + name + "' is declared twice. Declare it once.");
        }
        Draft draft = new Draft(this);
        draft.resources = Collections.unmodifiableMap(all);
        return new JobServerSettings(draft);
    }

    /** Admits fewer jobs at once while the heap is full, and more while there is room. */
    public JobServerSettings withHeapGuard(HeapGuardSettings heapGuard) {
        Draft draft = new Draft(this);
        draft.heapGuard = heapGuard;
        return new JobServerSettings(draft);
    }

    private static Duration checked(String setting, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "JobServerSettings." + setting + " is " + value + " and must be " + min + " to " + max + ".");
        }
        return value;
    }

    private static List<QueueSettings> checked(List<QueueSettings> queues, boolean othersServed) {
        Set<String> names = new LinkedHashSet<>();
        for (QueueSettings queue : queues) {
            if (!names.add(queue.queue())) {
                throw new IllegalArgumentException("The queue '" + queue.queue() + "' is set twice. Set it once.");
            }
        }
        if (queues.isEmpty() && !othersServed) {
            throw new IllegalArgumentException(
                    "A server that serves no queue runs no job. Name a queue, or build with enqueueOnly().");
        }
        return queues;
    }

    /** The next settings, by name: a constructor with twelve parameters would let two of one type change places unseen. */
    private static final class Draft {
        private @Nullable String name;
        private @Nullable Integer workers;
        private Duration deadAfter = Duration.ofSeconds(15);
        private Duration pollMax = Duration.ofMillis(200);
        private Duration stopPatience = Duration.ofSeconds(10);
        private RetryPolicy retries = RetryPolicy.DEFAULT;
        private List<QueueSettings> queues = List.of();
        private boolean othersServed = true;
        private Set<String> tags = Set.of();
        private RetentionSettings retention = RetentionSettings.DEFAULT;
        private Map<String, Integer> resources = Map.of();
        private @Nullable HeapGuardSettings heapGuard;

        private Draft() {}

        private Draft(JobServerSettings from) {
            this.name = from.name;
            this.workers = from.workers;
            this.deadAfter = from.deadAfter;
            this.pollMax = from.pollMax;
            this.stopPatience = from.stopPatience;
            this.retries = from.retries;
            this.queues = from.queues;
            this.othersServed = from.othersServed;
            this.tags = from.tags;
            this.retention = from.retention;
            this.resources = from.resources;
            this.heapGuard = from.heapGuard;
        }
    }
}
