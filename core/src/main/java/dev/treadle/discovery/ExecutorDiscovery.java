package dev.treadle.discovery;

import dev.treadle.discovery.Candidate.Verdict;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.executor.ScheduledThreadPoolJobRunrExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the executor: by priority among those registered with {@link java.util.ServiceLoader}, by name, or the one
 * that was passed. Nothing is started and nothing is logged here: the answer says what was found, chosen and skipped.
 */
public final class ExecutorDiscovery {
    /** Most registrations that are looked at. */
    public static final int PROVIDERS_MAX = 100;

    private final ClassLoader loader;

    /** Looks where the calling thread's context class loader does. */
    public ExecutorDiscovery() {
        this(contextLoader());
    }

    /** Looks where the given class loader does. */
    public ExecutorDiscovery(ClassLoader loader) {
        this.loader = loader;
    }

    /**
     * The registered executor with the highest priority; the pool if none is usable.
     *
     * @throws IllegalStateException if two share the highest priority
     */
    public ChosenExecutor byPriority() {
        Registrations found = Registrations.read(loader);
        if (found.usable().isEmpty()) {
            return pool(found, "the fallback, since no usable executor is registered");
        }
        List<Registered> highest = found.withHighestPriority();
        if (highest.size() > 1) {
            throw new IllegalStateException("Several executors are registered with the highest priority "
                    + highest.get(0).priority() + ", so none of them can win: " + listed(highest)
                    + ". Choose one by name (executor=" + reference(highest.get(0), found)
                    + "), pass an instance, or take the others off the class path.");
        }
        Registered winner = highest.get(0);
        return chosen(winner, found, "highest priority, " + winner.priority());
    }

    /**
     * The executor of the given {@link JobRunrExecutor#executorName} or class name. {@code pool} is always ours.
     *
     * @throws IllegalArgumentException if there is none, or more than one, of that name
     */
    public ChosenExecutor byName(String name) {
        Registrations found = Registrations.read(loader);
        if (name.equals(ScheduledThreadPoolJobRunrExecutor.NAME)) {
            return pool(found, "by name");
        }
        List<Registered> matches = found.answeringTo(name);
        if (matches.isEmpty()) {
            throw new IllegalArgumentException(unknown(name, found));
        }
        if (matches.size() > 1) {
            throw new IllegalArgumentException("Several executors are named '" + name + "': " + listed(matches)
                    + ". Choose one by its class name, or pass an instance.");
        }
        return chosen(matches.get(0), found, "by name");
    }

    /**
     * The given instance; registered executors are ignored.
     *
     * @throws IllegalArgumentException if its priority or name is null
     */
    public static ChosenExecutor given(JobRunrExecutor executor) {
        return new ChosenExecutor(executor, List.of(Registered.ask(executor).chosen("passed as an instance")));
    }

    private static ChosenExecutor chosen(Registered chosen, Registrations found, String why) {
        List<Candidate> others = new ArrayList<>();
        for (Registered one : found.usable()) {
            if (one != chosen) {
                others.add(one.found());
            }
        }
        others.add(pool(Verdict.FOUND, "the fallback"));
        return told(chosen.executor(), chosen.chosen(why), others, found);
    }

    private static ChosenExecutor pool(Registrations found, String why) {
        List<Candidate> others = found.usable().stream().map(Registered::found).toList();
        return told(new ScheduledThreadPoolJobRunrExecutor(), pool(Verdict.CHOSEN, why), others, found);
    }

    private static ChosenExecutor told(
            JobRunrExecutor executor, Candidate chosen, List<Candidate> others, Registrations found) {
        List<Candidate> all = new ArrayList<>();
        all.add(chosen);
        all.addAll(others);
        all.addAll(found.skipped());
        return new ChosenExecutor(executor, List.copyOf(all));
    }

    private static Candidate pool(Verdict verdict, String why) {
        return new Candidate(
                ScheduledThreadPoolJobRunrExecutor.class.getName(),
                ScheduledThreadPoolJobRunrExecutor.NAME,
                null,
                verdict,
                why);
    }

    private static String unknown(String name, Registrations found) {
        String names = Stream.concat(
                        Stream.of(ScheduledThreadPoolJobRunrExecutor.NAME),
                        found.usable().stream().map(Registered::name))
                .collect(Collectors.joining(", "));
        String skipped = found.skipped().isEmpty()
                ? ""
                : " Registered but not usable here, and perhaps the one you mean: "
                        + found.skipped().stream().map(Candidate::toString).collect(Collectors.joining("; ")) + ".";
        return "No executor is named '" + name + "'. Found: " + names + "." + skipped
                + " Choose one of the names found, add the jar that holds '" + name + "', or pass an instance.";
    }

    /** What to write to mean this one: its name, or its class where others share the name. */
    private static String reference(Registered one, Registrations found) {
        boolean plain = !one.name().equals(ScheduledThreadPoolJobRunrExecutor.NAME)
                && found.answeringTo(one.name()).size() == 1;
        return plain ? one.name() : one.className();
    }

    private static String listed(List<Registered> some) {
        return some.stream().map(Registered::toString).collect(Collectors.joining(", "));
    }

    /** Where services of the application are looked for. */
    public static ClassLoader contextLoader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context != null ? context : ClassLoader.getSystemClassLoader();
    }
}
