package dev.treadle.spring.boot;

import dev.treadle.health.Verdict;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The verdict as Spring's health: down if no job can run, up otherwise, also while something is wrong, because restarting
 * this process or taking requests from it would mend nothing then. The details say it in words.
 */
final class TreadleHealthIndicator extends AbstractHealthIndicator {
    private final Supplier<Verdict> verdict;

    TreadleHealthIndicator(Supplier<Verdict> verdict) {
        super("Treadle could not be asked how its jobs run.");
        this.verdict = verdict;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Verdict now = verdict.get();
        (now.level() == Verdict.Level.DOWN ? builder.down() : builder.up()).withDetails(now.details());
    }
}
