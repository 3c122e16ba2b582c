package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.micrometer.JobObservations;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Traces of requests and of their jobs, as Spring Boot sets them up with OpenTelemetry. */
@Timeout(300)
class TracingTest {
    record Receipt(String order) implements JobRequest<Void> {}

    /** Enqueues as part of a request. */
    @RestController
    static class Orders {
        private final JobScheduler jobs;

        Orders(JobScheduler jobs) {
            this.jobs = jobs;
        }

        @PostMapping("/orders")
        String place() {
            return jobs.enqueue(new Receipt("o-1")).toString();
        }
    }

    /** No bean of its own, because Spring Boot would export to it too. */
    record Exported(InMemorySpanExporter spans) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Traced {
        @Bean
        Orders orders(JobScheduler jobs) {
            return new Orders(jobs);
        }

        @Bean
        JobRequestHandler<Receipt> receipts() {
            return (receipt, job) -> {};
        }

        @Bean
        Exported exported() {
            return new Exported(InMemorySpanExporter.create());
        }

        /** Hands spans on at once, unlike Spring Boot's own. */
        @Bean
        SpanProcessor processor(Exported exported) {
            return SimpleSpanProcessor.create(exported.spans());
        }

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Children extends Traced {
        @Bean
        JobObservations children(ObservationRegistry registry) {
            return JobObservations.of(registry).asChildren();
        }
    }

    @Test
    void a_run_is_linked_to_the_enqueue_in_the_request() throws Exception {
        try (ConfigurableApplicationContext application = start(Traced.class)) {
            assertThat(new Visitor(application).post("/orders", "").statusCode())
                    .isEqualTo(200);
            SpanData request = span(application, SpanKind.SERVER);
            SpanData enqueue = span(application, SpanKind.PRODUCER);
            SpanData run = span(application, SpanKind.CONSUMER);

            assertThat(enqueue.getTraceId()).isEqualTo(request.getTraceId());
            assertThat(run.getTraceId()).isNotEqualTo(request.getTraceId());
            assertThat(run.getParentSpanContext().isValid()).isFalse();
            assertThat(run.getLinks())
                    .singleElement()
                    .satisfies(link ->
                            assertThat(link.getSpanContext().getSpanId()).isEqualTo(enqueue.getSpanId()));
        }
    }

    @Test
    void a_run_is_a_child_of_the_enqueue_if_asked_for() throws Exception {
        try (ConfigurableApplicationContext application = start(Children.class)) {
            new Visitor(application).post("/orders", "");
            SpanData enqueue = span(application, SpanKind.PRODUCER);
            SpanData run = span(application, SpanKind.CONSUMER);

            assertThat(run.getTraceId()).isEqualTo(enqueue.getTraceId());
            assertThat(run.getParentSpanId()).isEqualTo(enqueue.getSpanId());
            assertThat(run.getLinks()).isEmpty();
        }
    }

    private static ConfigurableApplicationContext start(Class<?> application) {
        return WebApplications.start(application, "--management.tracing.sampling.probability=1");
    }

    /** The one span of a kind, once it has ended. */
    private static SpanData span(ConfigurableApplicationContext application, SpanKind kind) {
        InMemorySpanExporter exported = application.getBean(Exported.class).spans();
        Awaitility.await("a span " + kind)
                .atMost(Duration.ofSeconds(60))
                .until(() -> exported.getFinishedSpanItems().stream().anyMatch(span -> span.getKind() == kind));
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getKind() == kind)
                .reduce((one, other) -> {
                    throw new AssertionError("two spans " + kind + ": " + one + " and " + other);
                })
                .orElseThrow();
    }
}
