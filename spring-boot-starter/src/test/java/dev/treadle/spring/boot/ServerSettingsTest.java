package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.treadle.Treadle;
import dev.treadle.executor.JobRunrExecutor;
import dev.treadle.job.RetryPolicy;
import dev.treadle.server.HeapGuardSettings;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import dev.treadle.spring.TreadleCustomizer;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Properties become the settings of the server, and of its executor. */
class ServerSettingsTest {
    private static JobServerSettings settings(String... properties) {
        AtomicReference<JobServerSettings> read = new AtomicReference<>();
        Contexts.withDatabase()
                .withPropertyValues("treadle.server.enabled=false")
                .withPropertyValues(properties)
                .run(context -> read.set(context.getBean(TreadleServerProperties.class)
                        .settings(StopPatience.of(
                                context.getBean(TreadleServerProperties.class).stopPatience(),
                                context.getEnvironment()))));
        return read.get();
    }

    private static String executor(ApplicationContextRunner runner) {
        AtomicReference<String> name = new AtomicReference<>();
        runner.run(context -> name.set(
                context.getBean(Treadle.class).server().orElseThrow().self().executor()));
        return name.get();
    }

    @Test
    void without_properties_they_are_the_defaults_of_core() {
        JobServerSettings settings = settings();
        JobServerSettings defaults = JobServerSettings.DEFAULT;

        assertThat(settings).usingRecursiveComparison().isEqualTo(defaults);
    }

    @Test
    void each_property_has_its_setting() {
        JobServerSettings settings = settings(
                "treadle.server.name=left",
                "treadle.server.workers=7",
                "treadle.server.dead-after=30s",
                "treadle.server.poll-max=1s",
                "treadle.server.stop-patience=3s",
                "treadle.server.tags=gpu,big",
                "treadle.server.serve-other-queues=false",
                "treadle.server.queues.mail.concurrency=5",
                "treadle.server.queues.mail.weight=3",
                "treadle.server.queues.slips.executor=pool",
                "treadle.server.resources.connections=30",
                "treadle.server.retries.attempts=2",
                "treadle.server.retries.first-delay=1s",
                "treadle.server.retries.delay-max=2s",
                "treadle.server.retries.factor=3",
                "treadle.server.retries.jitter=0",
                "treadle.server.retention.succeeded=1d",
                "treadle.server.retention.failed=2d",
                "treadle.server.retention.cancelled=3d",
                "treadle.server.heap-guard.enabled=true",
                "treadle.server.heap-guard.lower-above=0.8",
                "treadle.server.heap-guard.lower-to=0.7",
                "treadle.server.heap-guard.raise-below=0.6",
                "treadle.server.heap-guard.first=4",
                "treadle.server.heap-guard.unproven=2",
                "treadle.server.heap-guard.settle=2s");

        JobServerSettings expected = JobServerSettings.DEFAULT
                .withName("left")
                .withWorkers(7)
                .withDeadAfter(Duration.ofSeconds(30))
                .withPollMax(Duration.ofSeconds(1))
                .withStopPatience(Duration.ofSeconds(3))
                .withTags("gpu", "big")
                .withOnlyQueues(
                        QueueSettings.of("mail").withConcurrency(5).withWeight(3),
                        QueueSettings.of("slips").withExecutor("pool"))
                .withResource("connections", 30)
                .withRetries(RetryPolicy.DEFAULT
                        .withAttempts(2)
                        .withDelays(Duration.ofSeconds(1), Duration.ofSeconds(2))
                        .withFactor(3)
                        .withJitter(0))
                .withRetention(
                        new TreadleServerProperties.Kept(Duration.ofDays(1), Duration.ofDays(2), Duration.ofDays(3))
                                .settings())
                .withHeapGuard(HeapGuardSettings.DEFAULT
                        .withShares(0.8, 0.7, 0.6)
                        .withFirst(4)
                        .withUnproven(2)
                        .withSettle(Duration.ofSeconds(2)));
        assertThat(settings).usingRecursiveComparison().isEqualTo(expected);
        assertThat(settings.tags()).isEqualTo(Set.of("gpu", "big"));
        assertThat(settings.resources()).isEqualTo(Map.of("connections", 30));
    }

    @Test
    void the_patience_fits_into_what_spring_allows() {
        assertThat(settings().stopPatience()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings("spring.lifecycle.timeout-per-shutdown-phase=8s").stopPatience())
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(settings("spring.lifecycle.timeout-per-shutdown-phase=PT1S").stopPatience())
                .isEqualTo(Duration.ZERO);
        assertThat(settings("spring.lifecycle.timeout-per-shutdown-phase=1m", "treadle.server.stop-patience=54s")
                        .stopPatience())
                .isEqualTo(Duration.ofSeconds(54));
    }

    @Test
    void customizers_come_after_properties() {
        Contexts.withDatabase()
                .withPropertyValues("treadle.server.name=by-property")
                .withBean(
                        TreadleCustomizer.class,
                        () -> builder -> builder.settings(JobServerSettings.DEFAULT.withName("by-customizer")))
                .run(context -> assertThat(context.getBean(Treadle.class)
                                .server()
                                .orElseThrow()
                                .self()
                                .name())
                        .isEqualTo("by-customizer"));
    }

    @Test
    void jobs_run_on_a_pool_unless_virtual_threads_are_asked_for() {
        assertThat(executor(Contexts.withDatabase())).isEqualTo("pool");
        assertThat(executor(Contexts.withDatabase().withPropertyValues("spring.threads.virtual.enabled=false")))
                .isEqualTo("pool");
    }

    @Test
    void virtual_threads_can_be_asked_for() {
        assumeTrue(Runtime.version().feature() >= 21 && isVirtualBuilt(), "built without a JDK from 21 up");

        assertThat(executor(Contexts.withDatabase().withPropertyValues("spring.threads.virtual.enabled=true")))
                .isEqualTo("virtual");
        assertThat(executor(Contexts.withDatabase()
                        .withPropertyValues("spring.threads.virtual.enabled=true", "treadle.server.executor=pool")))
                .isEqualTo("pool");
    }

    private static boolean isVirtualBuilt() {
        try {
            return ServiceLoader.load(JobRunrExecutor.class).stream()
                    .anyMatch(one -> one.type().getSimpleName().startsWith("Virtual"));
        } catch (ServiceConfigurationError e) {
            return false;
        }
    }
}
