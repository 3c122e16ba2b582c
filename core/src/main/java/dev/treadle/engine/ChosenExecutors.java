package dev.treadle.engine;

import dev.treadle.discovery.ChosenExecutor;
import dev.treadle.discovery.ExecutorDiscovery;
import dev.treadle.executor.ExecutorSettings;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The executors that a server starts and stops: its own, and those that single queues name.
 *
 * @param usual the server's own
 * @param named the others, by the names that queues use; none of them is the usual one
 */
public record ChosenExecutors(ChosenExecutor usual, Map<String, ChosenExecutor> named) {
    /**
     * The server's own, and those that the settings name for queues, found where the thread looks for services.
     *
     * @throws IllegalArgumentException if no executor has such a name
     */
    public static ChosenExecutors of(ChosenExecutor usual, JobServerSettings settings) {
        return of(usual, QueueSelection.of(settings), name -> new ExecutorDiscovery().byName(name));
    }

    /**
     * Finds the executors that queues name.
     *
     * @throws IllegalArgumentException if no executor has such a name
     */
    public static ChosenExecutors of(
            ChosenExecutor usual, QueueSelection selection, Function<String, ChosenExecutor> discovery) {
        Map<String, ChosenExecutor> named = new LinkedHashMap<>();
        for (String name : selection.executors()) {
            if (!answersTo(name, usual)) {
                named.put(name, discovery.apply(name));
            }
        }
        return new ChosenExecutors(usual, named);
    }

    private static boolean answersTo(String name, ChosenExecutor chosen) {
        JobRunrExecutor executor = chosen.executor();
        return name.equals(executor.executorName())
                || name.equals(executor.getClass().getName());
    }

    /** Decides how many jobs may run on each executor at once. */
    WorkerPools pools(JobServerSettings settings, int cores) {
        QueueSelection selection = QueueSelection.of(settings);
        Predicate<QueueSettings> noneOfTheNamed = queue -> !named.containsKey(String.valueOf(queue.executor()));
        int usualWorkers =
                settings.workers() == null ? workers(usual, selection, noneOfTheNamed, cores) : settings.workers();
        Map<String, WorkerPools.PoolConfig> others = new LinkedHashMap<>();
        for (Map.Entry<String, ChosenExecutor> entry : named.entrySet()) {
            ChosenExecutor chosen = entry.getValue();
            int workers = workers(chosen, selection, queue -> entry.getKey().equals(queue.executor()), cores);
            others.put(entry.getKey(), new WorkerPools.PoolConfig(chosen.executor(), workers));
        }
        return new WorkerPools(new WorkerPools.PoolConfig(usual.executor(), usualWorkers), others);
    }

    /** The executor's default, but at least the largest concurrency that a setting gives to one of its queues. */
    private static int workers(
            ChosenExecutor chosen, QueueSelection selection, Predicate<QueueSettings> isOnIt, int cores) {
        int workers = chosen.executor().defaultWorkers(cores);
        for (QueueSettings queue : selection.queues()) {
            Integer concurrency = isOnIt.test(queue) ? queue.concurrency() : null;
            workers = concurrency == null ? workers : Math.max(workers, concurrency);
        }
        return workers;
    }

    void start(WorkerPools pools) {
        usual.executor().start(new ExecutorSettings(pools.usual().workers()));
        named.forEach((name, chosen) -> chosen.executor()
                .start(new ExecutorSettings(
                        Objects.requireNonNull(pools.named().get(name)).workers())));
    }

    void stop() {
        all().forEach(chosen -> chosen.executor().stop());
    }

    /** Their names, beginning with that of the server's own. */
    String names() {
        StringJoiner names = new StringJoiner(", ");
        for (ChosenExecutor chosen : all()) {
            names.add(chosen.executor().executorName());
        }
        return names.toString();
    }

    /** One line for each executor: what was chosen, and why. */
    List<String> summaries() {
        List<String> summaries = new ArrayList<>();
        for (ChosenExecutor chosen : all()) {
            summaries.add(chosen.summary());
        }
        return summaries;
    }

    private List<ChosenExecutor> all() {
        List<ChosenExecutor> all = new ArrayList<>(named.values());
        all.add(0, usual);
        return all;
    }
}
