package dev.treadle.engine;

import dev.treadle.discovery.ChosenExecutor;
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
 * The executors that a server starts and stops: its own, and those that queues name beside it.
 *
 * @param usual of the server
 * @param named by the names that queues give them; none of them is the usual one
 */
public record ChosenExecutors(ChosenExecutor usual, Map<String, ChosenExecutor> named) {
    /**
     * Finds those that queues name.
     *
     * @throws IllegalArgumentException if there is none of a name
     */
    public static ChosenExecutors of(
            ChosenExecutor usual, QueueSelection serving, Function<String, ChosenExecutor> discovery) {
        Map<String, ChosenExecutor> named = new LinkedHashMap<>();
        for (String name : serving.executors()) {
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

    /** How many jobs may run on each at once. */
    WorkerPools crews(JobServerSettings settings, int cores) {
        QueueSelection serving = QueueSelection.of(settings);
        Predicate<QueueSettings> noneOfTheNamed = queue -> !named.containsKey(String.valueOf(queue.executor()));
        int usualWorkers =
                settings.workers() == null ? workers(usual, serving, noneOfTheNamed, cores) : settings.workers();
        Map<String, WorkerPools.PoolConfig> others = new LinkedHashMap<>();
        for (Map.Entry<String, ChosenExecutor> one : named.entrySet()) {
            ChosenExecutor chosen = one.getValue();
            int workers = workers(chosen, serving, queue -> one.getKey().equals(queue.executor()), cores);
            others.put(one.getKey(), new WorkerPools.PoolConfig(chosen.executor(), workers));
        }
        return new WorkerPools(new WorkerPools.PoolConfig(usual.executor(), usualWorkers), others);
    }

    /** What the executor thinks right, and never less than what one of its queues was promised. */
    private static int workers(ChosenExecutor chosen, QueueSelection serving, Predicate<QueueSettings> its, int cores) {
        int workers = chosen.executor().defaultWorkers(cores);
        for (QueueSettings queue : serving.queues()) {
            Integer promised = its.test(queue) ? queue.concurrency() : null;
            workers = promised == null ? workers : Math.max(workers, promised);
        }
        return workers;
    }

    void start(WorkerPools crews) {
        usual.executor().start(new ExecutorSettings(crews.usual().workers()));
        named.forEach((name, chosen) -> chosen.executor()
                .start(new ExecutorSettings(
                        Objects.requireNonNull(crews.named().get(name)).workers())));
    }

    void stop() {
        all().forEach(chosen -> chosen.executor().stop());
    }

    /** Their names, that of the server first. */
    String names() {
        StringJoiner names = new StringJoiner(", ");
        for (ChosenExecutor chosen : all()) {
            names.add(chosen.executor().executorName());
        }
        return names.toString();
    }

    /** What was chosen, and why, one line each. */
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
