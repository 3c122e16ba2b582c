package dev.treadle.invoke;

import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryRule;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Retry decisions by exception type. The most specific registered type of an exception decides; another rule decides
 * about all other exceptions. Immutable.
 */
public final class RetryRules implements RetryRule {
    private final Map<Class<?>, RetryDecision> byType;
    private final RetryRule otherwise;

    private RetryRules(Map<Class<?>, RetryDecision> byType, RetryRule otherwise) {
        this.byType = byType;
        this.otherwise = otherwise;
    }

    /** No types; the job's own policy decides. */
    public static RetryRules byPolicy() {
        return new RetryRules(Map.of(), (thrown, attempt) -> RetryDecision.BY_POLICY);
    }

    /**
     * These decisions, and one for a type and those of its subtypes that have none of their own.
     *
     * @throws IllegalArgumentException if the type already has one
     */
    public RetryRules with(Class<? extends Throwable> type, RetryDecision decision) {
        if (byType.containsKey(type)) {
            throw new IllegalArgumentException(
                    "Two retry decisions are given for " + type.getName() + ": keep one of them.");
        }
        Map<Class<?>, RetryDecision> all = new LinkedHashMap<>(byType);
        all.put(type, decision);
        return new RetryRules(Map.copyOf(all), otherwise);
    }

    /** The same with another rule for exceptions of no given type. */
    public RetryRules otherwise(RetryRule rule) {
        return new RetryRules(byType, rule);
    }

    @Override
    public RetryDecision decide(Throwable thrown, int attempt) {
        for (Class<?> type = thrown.getClass(); type != Object.class; type = type.getSuperclass()) {
            RetryDecision decision = byType.get(type);
            if (decision != null) {
                return decision;
            }
        }
        return otherwise.decide(thrown, attempt);
    }
}
