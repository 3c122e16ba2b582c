package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.api.JobScheduler;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.job.ResultHandler;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The Jackson that Spring Boot brings. Spring Boot 4 has Jackson 3 itself. Releases of 3.5 pin annotations, and some of them
 * are too old: there requests of plain values run, and others stop the start.
 */
class JacksonTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    record Plain(String who, int times) implements JobRequest<String> {}

    record Dated(LocalDate day) implements JobRequest<String> {}

    /** What jobs of an earlier release lack are the number and the word. */
    record Grown(LocalDate day, int number, boolean word) implements JobRequest<String> {}

    @Configuration(proxyBeanMethods = false)
    static class GrownHandler {
        @Bean
        ResultHandler<Grown, String> grown() {
            return (grown, job) -> grown.toString();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PlainHandler {
        @Bean
        ResultHandler<Plain, String> plain() {
            return (plain, job) -> plain.who().repeat(plain.times());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class DatedHandler {
        @Bean
        ResultHandler<Dated, String> dated() {
            return (dated, job) -> dated.day().toString();
        }
    }

    private static ApplicationContextRunner with(Class<?> handler) {
        return Contexts.withDatabase().withUserConfiguration(handler);
    }

    @Test
    void requests_of_plain_values_run_with_any() {
        with(PlainHandler.class).run(context -> {
            JobScheduler jobs = context.getBean(JobScheduler.class);
            JobId id = jobs.enqueue(new Plain("ann", 2));
            assertThat(jobs.await(id, String.class, SOON)).isEqualTo(Optional.of("annann"));
        });
    }

    @Test
    void other_requests_run_or_the_start_says_what_to_pin() {
        with(DatedHandler.class).run(context -> {
            if (!isRefusedAsPinned(context)) {
                JobScheduler jobs = context.getBean(JobScheduler.class);
                JobId id = jobs.enqueue(new Dated(LocalDate.EPOCH));
                assertThat(jobs.await(id, String.class, SOON)).isEqualTo(Optional.of("1970-01-01"));
            }
        });
    }

    @Test
    void a_job_of_an_earlier_release_is_read_although_the_request_has_grown() {
        JobId id = JobId.of(UUID.randomUUID());
        Invocation stored = new Invocation(Grown.class.getName(), null, "{\"day\":\"1970-01-01\"}");

        with(GrownHandler.class).run(context -> {
            if (!isRefusedAsPinned(context)) {
                context.getBean(StorageProvider.class)
                        .insert(List.of(new NewJob(id, stored, new Due.Now(), JobTraits.DEFAULT)));
                assertThat(context.getBean(JobScheduler.class).await(id, String.class, SOON))
                        .isEqualTo(Optional.of(new Grown(LocalDate.EPOCH, 0, false).toString()));
            }
        });
    }

    /** With Spring Boot 4 the start must succeed, and with 3.5 it may be refused, if it says why. */
    private static boolean isRefusedAsPinned(AssertableApplicationContext context) {
        if (!SpringBootVersion.getVersion().startsWith("3.")) {
            assertThat(context).hasNotFailed();
        }
        if (context.getStartupFailure() == null) {
            return false;
        }
        assertThat(context.getStartupFailure())
                .hasStackTraceContaining(TreadleSetupException.class.getName())
                .hasStackTraceContaining("jackson-annotations 2.22");
        return true;
    }
}
