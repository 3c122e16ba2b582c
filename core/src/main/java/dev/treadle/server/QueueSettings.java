package dev.treadle.server;

import dev.treadle.executor.ExecutorSettings;
import dev.treadle.job.JobTraits;
import org.jspecify.annotations.Nullable;

/**
 * How a server serves one queue. Immutable.
 *
 * <pre>{@code
 * QueueSettings.of("mail").withConcurrency(20).withWeight(3).withExecutor("virtual")
 * }</pre>
 */
public final class QueueSettings {
    /** The greatest weight. */
    public static final int WEIGHT_MAX = 1_000;

    private final String queue;
    private final @Nullable Integer concurrency;
    private final int weight;
    private final @Nullable String executor;

    private QueueSettings(String queue, @Nullable Integer concurrency, int weight, @Nullable String executor) {
        this.queue = queue;
        this.concurrency = concurrency;
        this.weight = weight;
        this.executor = executor;
    }

    /**
     * The default settings of a queue: no limit of its own, weight 1, the server's executor.
     *
     * @throws IllegalArgumentException if the name is blank or too long
     */
    public static QueueSettings of(String queue) {
        JobTraits.DEFAULT.withQueue(queue);
        return new QueueSettings(queue, null, 1, null);
    }

    /** The name of the queue. */
    public String queue() {
        return queue;
    }

    /** How many of its jobs run at once on this node; null if only the workers of the executor limit them. */
    public @Nullable Integer concurrency() {
        return concurrency;
    }

    /** Its share beside the other queues on the same executor while there is more work than workers. */
    public int weight() {
        return weight;
    }

    /** The name of the executor that runs its jobs; null for that of the server. */
    public @Nullable String executor() {
        return executor;
    }

    /**
     * Limits how many of its jobs run at once on this node.
     *
     * @param concurrency 1 to {@value ExecutorSettings#WORKERS_MAX}
     */
    public QueueSettings withConcurrency(int concurrency) {
        if (concurrency < 1 || concurrency > ExecutorSettings.WORKERS_MAX) {
            throw new IllegalArgumentException(
                    "The concurrency of queue '" + queue + "' is " + concurrency
                            + " and must be 1 to " + ExecutorSettings.WORKERS_MAX
                            + ". To run none of its jobs here, leave it out of withOnlyQueues; to stop it everywhere, pause it.");
        }
        return new QueueSettings(queue, concurrency, weight, executor);
    }

    /**
     * Sets its share beside the other queues on the same executor while there is more work than workers. Queues without
     * settings have weight 1.
     *
     * @param weight 1 to {@value #WEIGHT_MAX}
     */
    public QueueSettings withWeight(int weight) {
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "The weight of queue '" + queue + "' is " + weight + " and must be 1 to " + WEIGHT_MAX + ".");
        }
        return new QueueSettings(queue, concurrency, weight, executor);
    }

    /** Runs its jobs on another executor than that of the server, such as {@code pool} or {@code virtual}. */
    public QueueSettings withExecutor(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(
                    "The executor of queue '" + queue
                            + "' has a blank name. Name one such as 'pool' or 'virtual', or leave it out for that of the server.");
        }
        return new QueueSettings(queue, concurrency, weight, name);
    }
}
