package dev.treadle.spring.boot3;

import dev.treadle.health.Verdict;
import java.util.function.Supplier;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** The verdict as Spring's health: down if no job can run, up otherwise, as with Spring Boot 4. */
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
