package dev.treadle.job;

/**
 * Chooses per exception whether a failed job is tried again. Called on the job's own thread; a rule that throws is
 * logged and counts as {@link RetryDecision#BY_POLICY}.
 */
@FunctionalInterface
public interface RetryRule {
    /**
     * @param thrown  what the job threw
     * @param attempt how many attempts have been made, from 1
     */
    RetryDecision decide(Throwable thrown, int attempt);
}
