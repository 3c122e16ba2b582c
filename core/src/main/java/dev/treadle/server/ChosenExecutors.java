package dev.treadle.server;

import dev.treadle.executor.ChosenExecutor;
import dev.treadle.executor.ExecutorSettings;
import dev.treadle.executor.JobRunrExecutor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            ChosenExecutor usual, Serving serving, Function<String, ChosenExecutor> discovery) {
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
    Crews crews(JobServerSettings settings, int cores) {
        Serving serving = settings.serving();
        Predicate<QueueSettings> noneOfTheNamed = queue -> !named.containsKey(String.valueOf(queue.executor()));
        int usualWorkers =
                settings.workers() == null ? workers(usual, serving, noneOfTheNamed, cores) : settings.workers();
        Map<String, Crews.Hired> others = new LinkedHashMap<>();
        named.forEach((name, chosen) -> others.put(
                name,
                new Crews.Hired(
                        chosen.executor(), workers(chosen, serving, queue -> name.equals(queue.executor()), cores))));
        return new Crews(new Crews.Hired(usual.executor(), usualWorkers), others);
    }

    /** What the executor thinks right, and never less than what one of its queues was promised. */
    private static int workers(ChosenExecutor chosen, Serving serving, Predicate<QueueSettings> its, int cores) {
        int promised = serving.queues().stream()
                .filter(its)
                .map(QueueSettings::concurrency)
                .filter(Objects::nonNull)
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        return Math.max(chosen.executor().defaultWorkers(cores), promised);
    }

    void start(Crews crews) {
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
        return all().map(chosen -> chosen.executor().executorName()).collect(Collectors.joining(", "));
    }

    /** What was chosen, and why, one line each. */
    Stream<String> summaries() {
        return all().map(ChosenExecutor::summary);
    }

    private Stream<ChosenExecutor> all() {
        return Stream.concat(Stream.of(usual), named.values().stream());
    }
}
