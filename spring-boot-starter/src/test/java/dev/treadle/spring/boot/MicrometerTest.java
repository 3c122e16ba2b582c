package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.micrometer.EnqueuedJobs;
import dev.treadle.micrometer.JobLinkHandler;
import dev.treadle.micrometer.JobObservations;
import dev.treadle.micrometer.TreadleMetrics;
import dev.treadle.storage.StorageProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, observations and links come with Micrometer, and give way. */
class MicrometerTest {
    private final ApplicationContextRunner runner =
            Contexts.withDatabase().withConfiguration(AutoConfigurations.of(TreadleMicrometerAutoConfiguration.class));

    record Mail(String to) implements JobRequest<Void> {}

    @Configuration(proxyBeanMethods = false)
    static class Observed {
        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observations(MeterRegistry meters) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
            return registry;
        }

        @Bean
        JobRequestHandler<Mail> handler() {
            return (mail, job) -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Traced {
        @Bean
        Tracer tracer() {
            return Tracer.NOOP;
        }

        @Bean
        Propagator propagator() {
            return Propagator.NOOP;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {
        @Bean
        EnqueuedJobs own() {
            return new EnqueuedJobs();
        }

        @Bean
        JobObservations ownObservations() {
            return JobObservations.of(ObservationRegistry.NOOP);
        }
    }

    @Test
    void jobs_are_counted_and_observed() {
        runner.withUserConfiguration(Observed.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            context.getBean(TreadleMetrics.class).bindTo(meters);
            context.getBean(EnqueuedJobs.class).bindTo(meters);
            JobId id = context.getBean(JobScheduler.class).enqueue(new Mail("ada"));
            assertThat(meters.get("treadle.jobs.enqueued").functionCounter().count())
                    .isEqualTo(1);
            assertThat(meters.get("treadle.job.enqueue").timer().count()).isEqualTo(1);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> meters.find("treadle.job.run")
                                    .tag("outcome", "completed")
                                    .timer()
                            != null);
            assertThat(context.getBean(StorageProvider.class).queries().find(id))
                    .isPresent();
            // the server was started after the Treadle was built
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> meters.find("treadle.server.workers").gauge() != null
                            && meters.get("treadle.server.workers").gauge().value() > 0);
        });
    }

    @Test
    void without_micrometer_there_are_none_of_these_and_jobs_run() {
        runner.withClassLoader(new FilteredClassLoader(MeterRegistry.class, Tracer.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(JobScheduler.class)
                        .doesNotHaveBean(TreadleMetrics.class)
                        .doesNotHaveBean(EnqueuedJobs.class)
                        .doesNotHaveBean(JobLinkHandler.class));
    }

    @Test
    void links_come_with_a_tracer() {
        runner.withUserConfiguration(Observed.class)
                .run(context -> assertThat(context).doesNotHaveBean(JobLinkHandler.class));
        runner.withUserConfiguration(Observed.class, Traced.class)
                .run(context -> assertThat(context).hasSingleBean(JobLinkHandler.class));
    }

    @Test
    void beans_of_the_application_take_their_place() {
        runner.withUserConfiguration(Observed.class, Own.class).run(context -> {
            assertThat(context).hasSingleBean(EnqueuedJobs.class).hasBean("own");
            context.getBean(JobScheduler.class).enqueue(new Mail("ada"));
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.find("treadle.job.enqueue").timer()).isNull();
            context.getBean(EnqueuedJobs.class).bindTo(meters);
            assertThat(meters.get("treadle.jobs.enqueued").functionCounter().count())
                    .isEqualTo(1);
        });
    }

    @Test
    void without_a_treadle_there_is_nothing_to_measure() {
        runner.withPropertyValues("treadle.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(TreadleMetrics.class));
    }
}
