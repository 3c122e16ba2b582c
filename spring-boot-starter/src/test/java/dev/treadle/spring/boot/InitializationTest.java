package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.StateName;
import dev.treadle.server.ServerState;
import dev.treadle.storage.sql.Dialect;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** The order in which an application is initialized: its tables first, then Treadle, and nothing lazily that must not be. */
class InitializationTest {
    record Mail(String to) implements JobRequest<Void> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {
        @Bean
        JobRequestHandler<Mail> mailer() {
            return (mail, job) -> {};
        }
    }

    private static ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .properties(Database.H2.properties())
                .properties(properties)
                .run();
    }

    private static void runsJobs(ConfigurableApplicationContext context) {
        JobScheduler jobs = context.getBean(JobScheduler.class);
        JobId id = jobs.enqueue(new Mail("ann"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> jobs.states(Set.of(id)).get(id) == StateName.SUCCEEDED);
    }

    private static Path script(Path folder, String name) throws IOException {
        return Files.writeString(folder.resolve(name), SqlStorageProvider.schemaScript(Dialect.H2));
    }

    @Test
    void scripts_make_the_tables_before_they_are_checked(@TempDir Path folder) throws IOException {
        Path script = script(folder, "schema.sql");

        try (ConfigurableApplicationContext context = run(
                "treadle.storage.schema=validate",
                "spring.sql.init.mode=always",
                "spring.sql.init.schema-locations=" + script.toUri())) {
            runsJobs(context);
        }
    }

    @Test
    void flyway_makes_the_tables_before_they_are_checked(@TempDir Path folder) throws IOException {
        script(folder, "V1__treadle.sql");

        try (ConfigurableApplicationContext context = run(
                "treadle.storage.schema=validate",
                "spring.flyway.enabled=true",
                "spring.flyway.locations=filesystem:" + folder)) {
            runsJobs(context);
        }
    }

    @Test
    void flyway_sees_an_empty_schema_although_treadle_makes_its_own_tables(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("V1__orders.sql"), "create table orders (id varchar(100))");

        try (ConfigurableApplicationContext context =
                run("spring.flyway.enabled=true", "spring.flyway.locations=filesystem:" + folder)) {
            runsJobs(context);
        }
    }

    @Test
    void liquibase_makes_the_tables_before_they_are_checked(@TempDir Path folder) throws IOException {
        Path changes = changes(folder, SqlStorageProvider.schemaScript(Dialect.H2));

        try (ConfigurableApplicationContext context = run(
                "treadle.storage.schema=validate",
                "spring.liquibase.enabled=true",
                "spring.liquibase.change-log=" + changes.toUri())) {
            runsJobs(context);
            assertThat(changesDone(context)).isEqualTo(1);
        }
    }

    @Test
    void liquibase_is_done_when_treadle_makes_its_own_tables(@TempDir Path folder) throws IOException {
        Path changes = changes(folder, "create table orders (id varchar(100));");

        try (ConfigurableApplicationContext context =
                run("spring.liquibase.enabled=true", "spring.liquibase.change-log=" + changes.toUri())) {
            runsJobs(context);
            assertThat(changesDone(context)).isEqualTo(1);
        }
    }

    private static Path changes(Path folder, String sql) throws IOException {
        return Files.writeString(folder.resolve("changes.sql"), "--liquibase formatted sql\n--changeset ada:1\n" + sql);
    }

    private static int changesDone(ConfigurableApplicationContext context) {
        return context.getBean(JdbcTemplate.class)
                .queryForObject("select count(*) from databasechangelog", Integer.class);
    }

    @Test
    void the_server_is_not_lazy() {
        try (ConfigurableApplicationContext context = run("spring.main.lazy-initialization=true")) {
            assertThat(context.getBeanFactory().containsSingleton("treadle")).isTrue();
            assertThat(context.getBean(Treadle.class).server().orElseThrow().state())
                    .isEqualTo(ServerState.RUNNING);
            runsJobs(context);
        }
        try (ConfigurableApplicationContext context =
                run("spring.main.lazy-initialization=true", "treadle.server.enabled=false")) {
            assertThat(context.getBeanFactory().containsSingleton("treadle")).isTrue();
        }
    }
}
