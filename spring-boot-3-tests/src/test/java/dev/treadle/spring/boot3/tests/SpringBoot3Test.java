package dev.treadle.spring.boot3.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.ResultHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Component;

/** An application of Spring Boot 3 with one dependency has jobs, health, info and its queues over HTTP. */
@Timeout(300)
class SpringBoot3Test {
    record Greet(String name, int times) implements JobRequest<String> {}

    @Component
    static class Greeter implements ResultHandler<Greet, String> {
        @Override
        public String run(Greet greet, JobContext job) {
            return "Hello " + greet.name().repeat(greet.times());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Greeter greeter() {
            return new Greeter();
        }

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().permitAll())
                    .build();
        }
    }

    @Test
    void the_starter_works() throws Exception {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.");
        try (ConfigurableApplicationContext application = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.liquibase.enabled=false",
                "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                "--management.endpoints.web.exposure.include=health,info,treadle",
                "--management.endpoint.health.show-details=always",
                "--management.endpoint.health.probes.enabled=true",
                "--management.endpoint.health.group.readiness.include=readinessState,treadle")) {
            JobScheduler jobs = application.getBean(JobScheduler.class);
            JobId id = jobs.enqueue(new Greet("Ada", 2));
            assertThat(jobs.await(id, String.class, Duration.ofSeconds(60))).isEqualTo(Optional.of("Hello AdaAda"));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(get(application, "/actuator/health/treadle"))
                            .contains("\"status\":\"UP\"", "\"level\":\"idle\"", "\"cause\":\"Idle."));
            assertThat(get(application, "/actuator/health/readiness")).contains("\"treadle\"");
            assertThat(get(application, "/actuator/info")).contains("\"state\":\"running\"");
            assertThat(get(application, "/actuator/treadle")).contains("\"default\"");
        }
    }

    @Test
    void a_dashboard_stops_the_start_and_says_what_to_pin() {
        assertThatThrownBy(() -> SpringApplication.run(
                                Application.class,
                                "--server.port=0",
                                "--spring.liquibase.enabled=false",
                                "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                                "--treadle.dashboard.enabled=true")
                        .close())
                .hasStackTraceContaining("jackson-annotations 2.22");
    }

    private static String get(ConfigurableApplicationContext application, String path) throws Exception {
        URI uri =
                URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
