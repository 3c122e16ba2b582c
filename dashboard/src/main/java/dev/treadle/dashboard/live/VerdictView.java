package dev.treadle.dashboard.live;

import dev.treadle.health.Verdict;
import dev.treadle.health.Verdict.Level;
import dev.treadle.health.rules.HealthFacts;
import dev.treadle.job.StateName;
import org.jspecify.annotations.Nullable;

/**
 * A verdict as the page shows it.
 *
 * @param link the page that shows more, such as {@code /failures}; null if there is none
 */
public record VerdictView(
        Level level, String sentence, @Nullable String link) {
    static VerdictView of(Verdict verdict, HealthFacts facts) {
        return new VerdictView(verdict.level(), verdict.sentence(), link(verdict, facts));
    }

    private static @Nullable String link(Verdict verdict, HealthFacts facts) {
        return switch (verdict.level()) {
            case DOWN, DEGRADED -> ProblemView.of(verdict.problems().get(0)).link();
            case IDLE ->
                facts.counts().getOrDefault(StateName.SCHEDULED, 0L) == 0 ? null : "/jobs?state=" + StateName.SCHEDULED;
            case HEALTHY -> null;
        };
    }
}
