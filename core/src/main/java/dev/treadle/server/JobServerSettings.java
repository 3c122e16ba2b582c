package dev.treadle.server;

import dev.treadle.executor.ExecutorSettings;
import dev.treadle.job.RetryPolicy;
import dev.treadle.storage.RetentionSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be set about a server. Every setting is checked when it is set.
 *
 * @param name         the node's name for people; null means host and process id
 * @param workers      how many jobs run at once on the executor of the server, 1 to 100,000; null leaves it to the
 *                     executor. Executors that queues name have workers of their own
 * @param deadAfter    how long this node may be silent before its jobs are rescued, 1 s to 1 h; it tells the others, so nodes
 *                     may have different ones
 * @param pollMax      the longest rest between two looks for work where the storage does not tell what others enqueue,
 *                     20 ms to 1 min; where it does, a look every 2 s is enough. What is enqueued in this process is seen
 *                     at once
 * @param stopPatience how long running jobs may go on when the server is closed before they are interrupted, 0 to 1 h
 * @param retries      the retry policy of jobs that have none of their own
 * @param serving      which queues it serves and how, and which tags it has
 * @param retention    how long jobs are kept after they have ended; give all nodes the same
 * @param admission    what jobs use that there is not enough of for all that could run
 */
public record JobServerSettings(
        @Nullable String name,
        @Nullable Integer workers,
        Duration deadAfter,
        Duration pollMax,
        Duration stopPatience,
        RetryPolicy retries,
        QueueSelection serving,
        RetentionSettings retention,
        AdmissionSettings admission) {

    /**
     * Rescue after 15 s, look every 200 ms, 10 s of patience, {@link RetryPolicy#DEFAULT}, all queues, no
     * tags, {@link RetentionSettings#DEFAULT}, no resources and no heap guard.
     */
    public static final JobServerSettings DEFAULT = new JobServerSettings(
            null,
            null,
            Duration.ofSeconds(15),
            Duration.ofMillis(200),
            Duration.ofSeconds(10),
            RetryPolicy.DEFAULT,
            QueueSelection.DEFAULT,
            RetentionSettings.DEFAULT,
            AdmissionSettings.NONE);

    /** @throws IllegalArgumentException naming the setting and its range */
    public JobServerSettings {
        check("deadAfter", deadAfter, Duration.ofSeconds(1), Duration.ofHours(1));
        check("pollMax", pollMax, Duration.ofMillis(20), Duration.ofMinutes(1));
        check("stopPatience", stopPatience, Duration.ZERO, Duration.ofHours(1));
        if (workers != null && (workers < 1 || workers > ExecutorSettings.WORKERS_MAX)) {
            throw new IllegalArgumentException("JobServerSettings.workers is " + workers + " and must be 1 to "
                    + ExecutorSettings.WORKERS_MAX + ", or null to leave it to the executor.");
        }
    }

    /** The same with another name. */
    public JobServerSettings withName(String name) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /** The same with another number of jobs at once. */
    public JobServerSettings withWorkers(int workers) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /** The same with another time after which a silent node counts as dead. */
    public JobServerSettings withDeadAfter(Duration deadAfter) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /** The same with another longest rest between two looks for work. */
    public JobServerSettings withPollMax(Duration pollMax) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /** The same with another patience when closing. */
    public JobServerSettings withStopPatience(Duration stopPatience) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /** The same with another usual retry policy. */
    public JobServerSettings withRetries(RetryPolicy retries) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /** The same with these queues served in these ways; all others are served as well. */
    public JobServerSettings withQueues(QueueSettings... queues) {
        return withServing(new QueueSelection(List.of(queues), true, serving.tags()));
    }

    /** The same serving these queues and no others. */
    public JobServerSettings withOnlyQueues(QueueSettings... queues) {
        return withServing(new QueueSelection(List.of(queues), false, serving.tags()));
    }

    /** The same on a node that has these tags: jobs that ask for tags run only where all of them are. */
    public JobServerSettings withTags(String... tags) {
        return withServing(serving.withTags(tags));
    }

    /** The same with other times to keep jobs that have ended. */
    public JobServerSettings withRetention(RetentionSettings retention) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    /**
     * The same with so many permits of a resource on this node. The order in which resources are declared is the one in
     * which a job that holds one may ask for others.
     *
     * @param permits 1 to {@value AdmissionSettings#PERMITS_MAX}
     */
    public JobServerSettings withResource(String name, int permits) {
        return withAdmission(admission.withResource(name, permits));
    }

    /** The same with a guard that admits fewer jobs when the heap fills up. */
    public JobServerSettings withHeapGuard(HeapGuardSettings heapGuard) {
        return withAdmission(admission.withHeapGuard(heapGuard));
    }

    /** The same with these resources, and this guard if there is one, beside its own. */
    public JobServerSettings withMore(AdmissionSettings more) {
        return withAdmission(admission.and(more));
    }

    /** The same with other resources. */
    public JobServerSettings withAdmission(AdmissionSettings admission) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    private JobServerSettings withServing(QueueSelection serving) {
        return new JobServerSettings(
                name, workers, deadAfter, pollMax, stopPatience, retries, serving, retention, admission);
    }

    private static void check(String setting, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "JobServerSettings." + setting + " is " + value + " and must be " + min + " to " + max + ".");
        }
    }
}
