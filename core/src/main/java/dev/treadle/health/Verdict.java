package dev.treadle.health;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

    /**
     * The same as text, lists and maps, for health checks of frameworks: {@code level} and {@code cause}, and, if anything
     * is wrong, {@code problems} with {@code rule}, {@code sentence} and {@code fix} of each.
     */
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("level", level.name().toLowerCase(Locale.ROOT));
        details.put("cause", sentence);
        if (!problems.isEmpty()) {
            details.put("problems", problems.stream().map(Verdict::details).toList());
        }
        return Collections.unmodifiableMap(details);
    }

    private static Map<String, String> details(HealthProblem problem) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("rule", problem.rule().id());
        details.put("sentence", problem.sentence());
        details.put("fix", problem.fix());
        return Collections.unmodifiableMap(details);
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
