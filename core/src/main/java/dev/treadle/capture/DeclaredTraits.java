package dev.treadle.capture;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Uses;
import dev.treadle.payload.DeclaredDefaults;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What request types and called methods declare of their jobs: {@link JobDefaults}, and what the jobs {@linkplain Uses
 * use}. Each is inspected once. Thread-safe.
 */
public final class DeclaredTraits {
    /** By target, as stored; empty in most applications. */
    private final Map<String, Declared> known = new ConcurrentHashMap<>();

    /** @param uses nothing for calls whose class and method declare nothing */
    private record Declared(@Nullable JobTraits defaults, Map<String, Integer> uses) {}

    /**
     * Inspects what the jobs of a target call.
     *
     * @param target as stored
     * @param method null for a request
     * @throws IllegalArgumentException if what is declared cannot be used
     */
    void see(String target, Class<?> type, @Nullable Method method) {
        JobTraits defaults = DeclaredDefaults.of(type, method);
        Map<String, Integer> uses = new TreeMap<>(uses(type));
        if (method != null) {
            uses.putAll(uses(method));
        }
        if (defaults != null || !uses.isEmpty()) {
            known.put(
                    target,
                    new Declared(defaults, JobTraits.DEFAULT.withUses(uses).uses()));
        }
    }

    private static Map<String, Integer> uses(AnnotatedElement code) {
        Map<String, Integer> uses = new TreeMap<>();
        for (Uses one : code.getAnnotationsByType(Uses.class)) {
            uses.merge(one.value(), one.amount(), Integer::sum);
        }
        return uses;
    }

    /** Fills what is declared into the traits. What the traits themselves set counts first. */
    public JobTraits filledIn(JobTraits traits, Invocation invocation) {
        Declared declared = known.isEmpty() ? null : known.get(invocation.target());
        if (declared == null) {
            return traits;
        }
        JobTraits filled = declared.defaults == null ? traits : traits.withDefaults(declared.defaults);
        if (declared.uses.isEmpty()) {
            return filled;
        }
        Map<String, Integer> all = new TreeMap<>(declared.uses);
        all.putAll(traits.uses());
        return filled.withUses(all);
    }
}
