package dev.treadle.discovery;

import dev.treadle.executor.JobRunrExecutor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * All executors that are registered as a service, the usable apart from the others. A provider that is broken, or was
 * compiled for a newer Java, is one provider less and nothing worse.
 */
record Registrations(List<Registered> usable, List<Candidate> skipped) {

    static Registrations read(ClassLoader loader) {
        List<Registered> usable = new ArrayList<>();
        Set<Candidate> skipped = new LinkedHashSet<>(); // a set: what fails without end is told once
        Iterator<JobRunrExecutor> providers =
                ServiceLoader.load(JobRunrExecutor.class, loader).iterator();
        for (int seen = 0; seen < ExecutorDiscovery.PROVIDERS_MAX; seen++) {
            // why the guard is here: hasNext() and next() throw per provider and have moved on by then,
            // where a plain for loop would end with the first class compiled for a newer Java
            try {
                if (!providers.hasNext()) {
                    return new Registrations(usable, List.copyOf(skipped));
                }
                inspect(providers.next(), usable, skipped);
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                skipped.add(SkipReason.of(e));
            }
        }
        skipped.add(Candidate.skipped(
                "what is registered beyond " + ExecutorDiscovery.PROVIDERS_MAX,
                "no more are looked at; take some off the class path"));
        return new Registrations(usable, List.copyOf(skipped));
    }

    private static void inspect(JobRunrExecutor executor, List<Registered> usable, Set<Candidate> skipped) {
        try {
            usable.add(Registered.ask(executor));
        } catch (LinkageError | RuntimeException e) {
            skipped.add(Candidate.skipped(executor.getClass().getName(), SkipReason.text(e)));
        }
    }

    List<Registered> withHighestPriority() {
        List<Registered> highest = new ArrayList<>();
        for (Registered one : usable) {
            if (!highest.isEmpty() && one.priority() > highest.get(0).priority()) {
                highest.clear();
            }
            if (highest.isEmpty() || one.priority() == highest.get(0).priority()) {
                highest.add(one);
            }
        }
        return highest;
    }

    List<Registered> answeringTo(String name) {
        return usable.stream().filter(one -> one.answersTo(name)).toList();
    }
}
