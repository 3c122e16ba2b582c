package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.micrometer.EnqueuedJobs;
import dev.treadle.micrometer.JobEnqueueConvention;
import dev.treadle.micrometer.JobLinkHandler;
import dev.treadle.micrometer.JobObservations;
import dev.treadle.micrometer.JobRunConvention;
import dev.treadle.micrometer.TreadleMetrics;
import dev.treadle.spring.TreadleCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Meters where there is Micrometer, observations where something observes, links where something traces. */
@AutoConfiguration(
        after = TreadleAutoConfiguration.class,
        // Spring Boot 4, and Spring Boot 3
        afterName = {
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration"
        })
@ConditionalOnBean(Treadle.class)
final class TreadleMicrometerAutoConfiguration {
    /** Before Micrometer's handler for all receivers, to which Spring Boot gives 1000. */
    static final int LINKS_ORDER = 900;

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static final class Meters {
        /** Spring Boot binds it to each registry. */
        @Bean
        @ConditionalOnMissingBean
        TreadleMetrics treadleMetrics(Treadle treadle) {
            return new TreadleMetrics(treadle);
        }

        @Bean
        @ConditionalOnMissingBean
        EnqueuedJobs treadleEnqueuedJobs() {
            return new EnqueuedJobs();
        }

        @Bean
        TreadleCustomizer treadleEnqueuedJobsCustomizer(EnqueuedJobs enqueued) {
            return builder -> builder.intercept(enqueued);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    static final class Observations {
        /** A bean of the application's own, such as {@code JobObservations.of(registry).asChildren()}, takes its place. */
        @Bean
        TreadleCustomizer treadleObservationsCustomizer(
                ObjectProvider<JobObservations> own,
                ObjectProvider<ObservationRegistry> registries,
                ObjectProvider<JobEnqueueConvention> enqueue,
                ObjectProvider<JobRunConvention> run) {
            return builder -> {
                JobObservations given = own.getIfAvailable();
                JobObservations observations = given == null ? of(registries.getIfAvailable(), enqueue, run) : given;
                if (observations != null) {
                    builder.intercept(observations);
                }
            };
        }

        private static @Nullable JobObservations of(
                @Nullable ObservationRegistry registry,
                ObjectProvider<JobEnqueueConvention> enqueue,
                ObjectProvider<JobRunConvention> run) {
            if (registry == null) {
                return null;
            }
            JobObservations plain = JobObservations.of(registry);
            JobEnqueueConvention ofEnqueue = enqueue.getIfAvailable();
            JobObservations named = ofEnqueue == null ? plain : plain.withEnqueueConvention(ofEnqueue);
            JobRunConvention ofRun = run.getIfAvailable();
            return ofRun == null ? named : named.withRunConvention(ofRun);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracer.class, ObservationRegistry.class})
    @ConditionalOnBean({Tracer.class, Propagator.class})
    static final class Links {
        @Bean
        @Order(LINKS_ORDER)
        @ConditionalOnMissingBean
        JobLinkHandler treadleJobLinkHandler(Tracer tracer) {
            return new JobLinkHandler(tracer);
        }
    }
}
