package dev.treadle.dashboard.live;

import dev.treadle.health.HealthProblem;
import dev.treadle.health.Verdict.Level;
import dev.treadle.job.StateName;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong, as the page shows it.
 *
 * @param rule     which rule found it, as {@link HealthProblem.Rule#id}
 * @param level    how bad it is
 * @param sentence what is the case
 * @param fix      what to do
 * @param link     the page that shows more; null if there is none
 */
public record ProblemView(
        String rule,
        Level level,
        String sentence,
        String fix,
        @Nullable String link) {
    static ProblemView of(HealthProblem problem) {
        return new ProblemView(problem.rule().id(), problem.level(), problem.sentence(), problem.fix(), link(problem));
    }

    private static @Nullable String link(HealthProblem problem) {
        return switch (problem.rule()) {
            case STORAGE_DOWN -> null;
            case NO_SERVER, SERVER_STOPPED, SERVER_SILENT, HEAP_FULL -> "/servers";
            case FALLING_BEHIND -> "/jobs?state=" + StateName.ENQUEUED;
            case FAILING -> "/failures";
            case PARKED -> "/jobs?state=" + StateName.PARKED;
            case STILL_RUNNING -> problem.job() == null ? null : "/jobs/" + problem.job();
            case QUEUE_PAUSED -> "/queues";
        };
    }
}
