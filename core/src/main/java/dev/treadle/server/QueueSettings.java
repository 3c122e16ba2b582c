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
 *
 * @param queue       its name
 * @param concurrency how many of its jobs run on this node at once, 1 to 100,000; null if only the executor's workers
 *                    bound them
 * @param weight      its share beside the other queues on the same executor while there is more to do than that can: 1 to
 *                    {@value #WEIGHT_MAX}; queues without settings have 1
 * @param executor    the {@linkplain dev.treadle.executor.ExecutorDiscovery#byName name} of the executor that runs its
 *                    jobs; null for that of the server
 */
public record QueueSettings(
        String queue,
        @Nullable Integer concurrency,
        int weight,
        @Nullable String executor) {
    /** The greatest weight. */
    public static final int WEIGHT_MAX = 1_000;

    /** @throws IllegalArgumentException naming the setting and its range */
    public QueueSettings {
        JobTraits.DEFAULT.withQueue(queue);
        if (concurrency != null && (concurrency < 1 || concurrency > ExecutorSettings.WORKERS_MAX)) {
            throw new IllegalArgumentException(
                    "The concurrency of queue '" + queue + "' is " + concurrency
                            + " and must be 1 to " + ExecutorSettings.WORKERS_MAX
                            + ". To run none of its jobs here, leave it out of withOnlyQueues; to stop it everywhere, pause it.");
        }
        if (weight < 1 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "The weight of queue '" + queue + "' is " + weight + " and must be 1 to " + WEIGHT_MAX + ".");
        }
        if (executor != null && executor.isBlank()) {
            throw new IllegalArgumentException("The executor of queue '" + queue
                    + "' has a blank name. Name one such as" + " 'pool' or 'virtual', or none for that of the server.");
        }
    }

    /** A queue as if nothing were said of it. */
    public static QueueSettings of(String queue) {
        return new QueueSettings(queue, null, 1, null);
    }

    /** The same with a limit to how many of its jobs run on this node at once. */
    public QueueSettings withConcurrency(int concurrency) {
        return new QueueSettings(queue, concurrency, weight, executor);
    }

    /** The same with another share. */
    public QueueSettings withWeight(int weight) {
        return new QueueSettings(queue, concurrency, weight, executor);
    }

    /** The same on another executor than that of the server. */
    public QueueSettings withExecutor(String name) {
        return new QueueSettings(queue, concurrency, weight, name);
    }
}
