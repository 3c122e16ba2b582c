package dev.treadle.spring.boot;

import dev.treadle.Treadle;
import dev.treadle.job.GiveUpException;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Applications of Spring Boot with a real Tomcat, Spring Security and the actuator. */
final class WebApplications {
    private WebApplications() {}

    /** Always fails. */
    record Break(String message) implements JobRequest<Void> {}

    /** An application that configures nothing but users and a handler. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Usual {
        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("vic")
                            .password("{noop}vic")
                            .roles("TREADLE_VIEWER")
                            .build(),
                    User.withUsername("ada")
                            .password("{noop}ada")
                            .roles("TREADLE_OPERATOR", "STAFF")
                            .build(),
                    User.withUsername("eve")
                            .password("{noop}eve")
                            .roles("STAFF")
                            .build());
        }

        @Bean
        Breaker breaker() {
            return new Breaker();
        }
    }

    /** Fails for good. */
    static final class Breaker implements JobRequestHandler<Break> {
        @Override
        public void run(Break request, JobContext job) {
            throw new GiveUpException(request.message());
        }
    }

    static ConfigurableApplicationContext start(Class<?> application, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--spring.flyway.enabled=false",
                "--spring.liquibase.enabled=false",
                "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                "--spring.datasource.username=sa"));
        all.addAll(List.of(arguments));
        return SpringApplication.run(application, all.toArray(String[]::new));
    }

    /** A job that has failed. */
    static JobId failedJob(ConfigurableApplicationContext application) {
        Treadle treadle = application.getBean(Treadle.class);
        JobId id = treadle.jobs().enqueue(new Break("the printer is on fire"));
        Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(30))
                .until(() -> treadle.jobs().find(id).orElseThrow().job().state().name() == StateName.FAILED);
        return id;
    }
}
