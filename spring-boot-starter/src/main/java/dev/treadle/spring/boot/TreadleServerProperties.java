package dev.treadle.spring.boot;

import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The server that runs jobs in this application.
 *
 * @param enabled           Whether this application runs jobs; without a server it only enqueues.
 * @param name              The node's name for people; without one, host and process id.
 * @param executor          The executor that runs jobs: pool, virtual, or the name or class of another one.
 * @param workers           Jobs at once on the server's executor; without it, as many as the executor suggests.
 * @param deadAfter         How long this node may be silent before others rescue its jobs.
 * @param pollMax           The longest rest between two looks for work where the storage sends no notifications.
 * @param stopPatience      How long running jobs may continue when the application stops, before they are interrupted; without
 *                          it 10 s, or less if spring.lifecycle.timeout-per-shutdown-phase is short.
 * @param tags              What this node has, for jobs that ask for it.
 * @param serveOtherQueues  Whether queues are served that have no settings here.
 * @param queues            How single queues are served, by name.
 * @param resources         The permits of each resource of this node, by name.
 * @param retries           The retry policy of jobs that have none of their own.
 * @param retention         How long ended jobs are kept.
 * @param heapGuard         Whether and how to admit only as many jobs at once as the heap bears.
 */
@ConfigurationProperties("treadle.server")
record TreadleServerProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String name,
        @Nullable String executor,
        @Nullable Integer workers,
        @DefaultValue("15s") Duration deadAfter,
        @DefaultValue("200ms") Duration pollMax,
        @Nullable Duration stopPatience,
        @DefaultValue List<String> tags,
        @DefaultValue("true") boolean serveOtherQueues,
        @DefaultValue Map<String, Queue> queues,
        @DefaultValue Map<String, Integer> resources,
        @DefaultValue Retries retries,
        @DefaultValue Kept retention,
        @DefaultValue HeapGuard heapGuard) {

    /**
     * How one queue is served.
     *
     * @param concurrency How many of its jobs run on this node at once; without it only the workers limit them.
     * @param weight      Its share beside the other queues on the same executor.
     * @param executor    The executor that runs its jobs; without it that of the server.
     */
    record Queue(
            @Nullable Integer concurrency,
            @DefaultValue("1") int weight,
            @Nullable String executor) {
        QueueSettings settings(String name) {
            QueueSettings settings = QueueSettings.of(name).withWeight(weight);
            settings = concurrency == null ? settings : settings.withConcurrency(concurrency);
            return executor == null ? settings : settings.withExecutor(executor);
        }
    }

    /**
     * A retry policy.
     *
     * @param attempts   Attempts in all, including the first.
     * @param firstDelay The wait after the first failed attempt.
     * @param factor     How much longer each further wait is.
     * @param delayMax   The longest wait before jitter.
     * @param jitter     The random share of the wait.
     */
    record Retries(
            @DefaultValue("10") int attempts,
            @DefaultValue("5s") Duration firstDelay,
            @DefaultValue("2") double factor,
            @DefaultValue("1h") Duration delayMax,
            @DefaultValue("0.2") double jitter) {
        RetryPolicy policy() {
            return RetryPolicy.DEFAULT
                    .withAttempts(attempts)
                    .withDelays(firstDelay, delayMax)
                    .withFactor(factor)
                    .withJitter(jitter);
        }
    }

    /**
     * How long ended jobs are kept.
     *
     * @param succeeded Those that succeeded.
     * @param failed    Those that failed for good.
     * @param cancelled Those that were cancelled.
     */
    record Kept(
            @DefaultValue("3d") Duration succeeded,
            @DefaultValue("30d") Duration failed,
            @DefaultValue("7d") Duration cancelled) {
        RetentionSettings settings() {
            return RetentionSettings.DEFAULT.withUsual(RetentionSettings.DEFAULT
                    .usual()
                    .withSucceeded(succeeded)
                    .withFailed(failed)
                    .withCancelled(cancelled));
        }
    }

    /**
     * The heap guard.
     *
     * @param enabled    Whether there is one.
     * @param lowerAbove Admit fewer jobs while more than this share of the heap is in use.
     * @param lowerTo    And as many as would fill this share.
     * @param raiseBelow Admit more jobs while less than this share is in use.
     * @param first      How many jobs are admitted at first.
     * @param unproven   How many jobs may be admitted before it is known what they need.
     * @param settle     How long to wait between two changes.
     */
    record HeapGuard(
            @DefaultValue("false") boolean enabled,
            @Nullable Double lowerAbove,
            @Nullable Double lowerTo,
            @Nullable Double raiseBelow,
            @Nullable Integer first,
            @Nullable Integer unproven,
            @Nullable Duration settle) {
        HeapGuardSettings settings() {
            HeapGuardSettings guard = HeapGuardSettings.DEFAULT;
            guard = guard.withShares(
                    lowerAbove == null ? guard.lowerAbove() : lowerAbove,
                    lowerTo == null ? guard.lowerTo() : lowerTo,
                    raiseBelow == null ? guard.raiseBelow() : raiseBelow);
            guard = first == null ? guard : guard.withFirst(first);
            guard = unproven == null ? guard : guard.withUnproven(unproven);
            return settle == null ? guard : guard.withSettle(settle);
        }
    }

    /** @param patience How long running jobs may continue at the stop */
    JobServerSettings settings(Duration patience) {
        JobServerSettings settings = JobServerSettings.DEFAULT
                .withDeadAfter(deadAfter)
                .withPollMax(pollMax)
                .withStopPatience(patience)
                .withRetries(retries.policy())
                .withRetention(retention.settings())
                .withTags(tags.toArray(String[]::new));
        QueueSettings[] named = queues.entrySet().stream()
                .map(entry -> entry.getValue().settings(entry.getKey()))
                .toArray(QueueSettings[]::new);
        settings = serveOtherQueues ? settings.withQueues(named) : settings.withOnlyQueues(named);
        for (Map.Entry<String, Integer> resource : resources.entrySet()) {
            settings = settings.withResource(resource.getKey(), resource.getValue());
        }
        settings = name == null ? settings : settings.withName(name);
        settings = workers == null ? settings : settings.withWorkers(workers);
        return heapGuard.enabled() ? settings.withHeapGuard(heapGuard.settings()) : settings;
    }
}
