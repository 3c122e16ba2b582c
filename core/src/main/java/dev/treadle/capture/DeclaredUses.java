package dev.treadle.capture;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Uses;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What request types declare that each of their jobs {@linkplain Uses uses}. Each type is inspected once. Thread-safe.
 */
public final class DeclaredUses {
    /** The declarations by type name; empty in most applications. */
    private final Map<String, Map<String, Integer>> known = new ConcurrentHashMap<>();

    private final ClassValue<Boolean> seen = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            Map<String, Integer> uses = new TreeMap<>();
            for (Uses one : type.getAnnotationsByType(Uses.class)) {
                uses.merge(one.value(), one.amount(), Integer::sum);
            }
            if (!uses.isEmpty()) {
                known.put(type.getName(), JobTraits.DEFAULT.withUses(uses).uses());
            }
            return true;
        }
    };

    void see(Class<?> request) {
        seen.get(request);
    }

    /**
     * Adds what the request's type declares to the traits. What the traits themselves ask of a resource counts first.
     */
    public JobTraits filledIn(JobTraits traits, Invocation invocation) {
        Map<String, Integer> declared = known.isEmpty() ? null : known.get(invocation.target());
        if (declared == null) {
            return traits;
        }
        Map<String, Integer> all = new TreeMap<>(declared);
        all.putAll(traits.uses());
        return traits.withUses(all);
    }
}
