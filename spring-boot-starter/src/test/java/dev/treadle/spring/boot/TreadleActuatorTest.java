package dev.treadle.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.health.Verdict;
import dev.treadle.spring.boot.WebApplications.Usual;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** Health, info and queues over HTTP, in one application. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TreadleActuatorTest {
    /** Users by name and password, without sessions. */
    @Configuration(proxyBeanMethods = false)
    static class Actuated extends Usual {
        @Bean
        SecurityFilterChain all(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    private ConfigurableApplicationContext application;

    @BeforeAll
    void begin() {
        application = WebApplications.start(
                Actuated.class,
                "--management.endpoints.web.exposure.include=health,info,treadle",
                "--management.endpoint.health.show-details=always",
                "--management.endpoint.health.probes.enabled=true",
                "--management.endpoint.health.group.readiness.include=readinessState,treadle");
    }

    @AfterAll
    void end() {
        application.close();
    }

    private Visitor ada() {
        return new Visitor(application).with("Authorization", "Basic YWRhOmFkYQ==");
    }

    @Test
    void health_says_in_words_how_jobs_run_and_readiness_asks_it_but_liveness_does_not() throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            String health = ada().get("/actuator/health/treadle").body();
            assertTrue(health.contains("\"status\":\"UP\"") && health.contains("\"cause\":\"Idle."), health);
        });
        assertTrue(ada().get("/actuator/health").body().contains("\"treadle\""));
        assertTrue(ada().get("/actuator/health/readiness").body().contains("\"treadle\""));
        assertFalse(ada().get("/actuator/health/liveness").body().contains("treadle"));
    }

    @Test
    void info_says_where_jobs_are_kept_and_which_server_this_is() throws Exception {
        String info = ada().get("/actuator/info").body();
        assertTrue(info.contains("\"treadle\":{\"storage\":\""), info);
        assertTrue(info.contains("\"state\":\"running\""), info);
    }

    @Test
    void a_queue_is_paused_and_resumed_in_the_name_of_the_user() throws Exception {
        WebApplications.failedJob(application);
        HttpResponse<String> paused = ada().post(
                        "/actuator/treadle/default",
                        "{\"action\":\"pause\",\"why\":\"the relay is down\",\"duration\":\"2h\"}");
        assertEquals(200, paused.statusCode(), paused.body());
        String listed = ada().get("/actuator/treadle").body();
        assertTrue(listed.contains("\"by\":\"ada\",\"why\":\"the relay is down\",\"until\":\""), listed);
        assertEquals(
                200,
                ada().post("/actuator/treadle/default", "{\"action\":\"resume\"}")
                        .statusCode());
        assertFalse(ada().get("/actuator/treadle").body().contains("relay"));
        assertEquals(
                2,
                dev.treadle.storage.admin.AdminStorage.of(
                                application.getBean(Treadle.class).storage())
                        .operators()
                        .audit(null, 10)
                        .size());
    }

    @Test
    void what_cannot_be_done_to_a_queue_is_refused() throws Exception {
        WebApplications.failedJob(application);
        assertEquals(
                400,
                ada().post("/actuator/treadle/nowhere", "{\"action\":\"pause\"}")
                        .statusCode());
        assertEquals(
                400,
                ada().post("/actuator/treadle/default", "{\"action\":\"burn\"}").statusCode());
        assertEquals(
                400,
                ada().post("/actuator/treadle/default", "{\"action\":\"resume\",\"duration\":\"2h\"}")
                        .statusCode());
        assertEquals(
                400,
                ada().post("/actuator/treadle/default", "{\"action\":\"pause\",\"duration\":\"-2h\"}")
                        .statusCode());
        assertEquals(401, new Visitor(application).get("/actuator/treadle").statusCode());
    }

    @Test
    void health_is_down_only_if_no_job_can_run() {
        for (Verdict.Level level : Verdict.Level.values()) {
            Health health = new TreadleHealthIndicator(() -> new Verdict(level, "so it is", List.of())).health();
            assertEquals(level == Verdict.Level.DOWN ? Status.DOWN : Status.UP, health.getStatus());
            assertEquals("so it is", health.getDetails().get("cause"));
        }
    }

    @Test
    void each_part_backs_off_by_itself() {
        var all = Contexts.withDatabase()
                .withConfiguration(AutoConfigurations.of(
                        TreadleHealthAutoConfiguration.class,
                        TreadleInfoAutoConfiguration.class,
                        TreadleEndpointAutoConfiguration.class));
        all.run(context -> {
            assertEquals(1, context.getBeanNamesForType(TreadleHealthIndicator.class).length);
            assertEquals(0, context.getBeanNamesForType(TreadleEndpoint.class).length, "it is not exposed");
        });
        all.withPropertyValues(
                        "management.health.treadle.enabled=false",
                        "management.info.treadle.enabled=false",
                        "management.endpoints.web.exposure.include=treadle")
                .run(context -> {
                    assertEquals(0, context.getBeanNamesForType(TreadleHealthIndicator.class).length);
                    assertEquals(0, context.getBeanNamesForType(TreadleInfoContributor.class).length);
                });
        all.withPropertyValues("treadle.enabled=false")
                .run(context -> assertEquals(0, context.getBeanNamesForType(HealthIndicator.class).length));
        all.withBean(
                        "treadleHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.unknown().build())
                .run(context -> assertEquals(0, context.getBeanNamesForType(TreadleHealthIndicator.class).length));
    }
}
