package dev.treadle.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Treadle;
import dev.treadle.health.Verdict;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Health with Spring Boot 3. */
class TreadleHealthTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TreadleHealthAutoConfiguration.class))
            .withBean(
                    Treadle.class,
                    () -> Treadle.on(new InMemoryStorageProvider()).start());

    @Test
    void it_is_down_only_if_no_job_can_run() {
        for (Verdict.Level level : Verdict.Level.values()) {
            Health health = new TreadleHealthIndicator(() -> new Verdict(level, "so it is", List.of())).health();
            assertThat(health.getStatus()).isEqualTo(level == Verdict.Level.DOWN ? Status.DOWN : Status.UP);
            assertThat(health.getDetails()).containsEntry("cause", "so it is");
        }
    }

    @Test
    void it_says_how_jobs_run() {
        runner.run(context -> assertThat(
                        context.getBean(HealthIndicator.class).health().getDetails())
                .containsKeys("level", "cause"));
    }

    @Test
    void it_backs_off() {
        runner.withPropertyValues("management.health.treadle.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        runner.withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
        runner.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("treadleHealthIndicator"));
        runner.withBean(
                        "treadleHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.unknown().build())
                .run(context -> assertThat(context).doesNotHaveBean(TreadleHealthIndicator.class));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(TreadleHealthAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
