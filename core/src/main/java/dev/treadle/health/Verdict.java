package dev.treadle.health;

import java.util.List;

/**
 * Whether jobs run as they should, in one sentence. {@link dev.treadle.Treadle#health} gives it, and the dashboard shows
 * the same one.
 *
 * @param level    how bad it is
 * @param sentence what is the case, with cause and number; of several problems it is the worst one
 * @param problems everything that is wrong, worst first
 */
public record Verdict(Level level, String sentence, List<HealthProblem> problems) {
    /** Keeps its own copy. */
    public Verdict {
        problems = List.copyOf(problems);
    }

    /** From worst to best. */
    public enum Level {
        /** No job can run. */
        DOWN,
        /** Jobs run, and something is wrong. */
        DEGRADED,
        /** There is nothing to do. */
        IDLE,
        /** Jobs run as they should. */
        HEALTHY
    }
}
