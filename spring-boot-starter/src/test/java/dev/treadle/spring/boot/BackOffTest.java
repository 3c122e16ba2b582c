package dev.treadle.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.server.ServerState;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Each bean is there, and gives way to one of the application's. */
class BackOffTest {
    record Mail(String to) implements JobRequest<Void> {}

    private static DataSource database(String name) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + name + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStorage {
        @Bean
        StorageProvider storage() {
            return new InMemoryStorageProvider();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTreadle {
        @Bean
        Treadle own(StorageProvider storage) {
            return Treadle.on(storage).enqueueOnly();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScheduler {
        @Bean(destroyMethod = "")
        JobScheduler own(Treadle treadle) {
            return treadle.jobs();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        DataSource orders() {
            return database("orders");
        }

        @Bean
        DataSource jobs() {
            return database("jobs");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedDatabase {
        @Bean
        DataSource orders() {
            return database("orders");
        }

        @Bean
        @TreadleDataSource
        DataSource jobs() {
            return database("jobs");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoHandlers {
        @Bean
        JobRequestHandler<Mail> one() {
            return (mail, job) -> {};
        }

        @Bean
        JobRequestHandler<Mail> another() {
            return (mail, job) -> {};
        }
    }

    @Test
    void an_application_with_a_database_gets_everything_and_its_server_runs() {
        Contexts.withDatabase().run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(SqlStorageProvider.class)
                    .hasSingleBean(JobScheduler.class)
                    .hasSingleBean(Queues.class)
                    .hasSingleBean(RecurringJobs.class);
            assertThat(context.getBean(Treadle.class).server().orElseThrow().state())
                    .isEqualTo(ServerState.RUNNING);
        });
    }

    @Test
    void an_application_that_only_enqueues_has_no_server() {
        Contexts.withDatabase()
                .withPropertyValues("treadle.server.enabled=false")
                .run(context -> {
                    context.getBean(JobScheduler.class).enqueue(new Mail("ann"));
                    assertThat(context.getBean(Treadle.class).server()).isEmpty();
                    assertThat(context).doesNotHaveBean("treadleClaiming").doesNotHaveBean("treadleRunningJobs");
                });
    }

    @Test
    void treadle_can_be_switched_off() {
        Contexts.plain()
                .withPropertyValues("treadle.enabled=false")
                .withClassLoader(new FilteredClassLoader("com.zaxxer"))
                .run(context -> assertThat(context)
                        .doesNotHaveBean(Treadle.class)
                        .doesNotHaveBean(JobScheduler.class)
                        .doesNotHaveBean("treadleClaiming"));
    }

    @Test
    void a_storage_of_the_application_counts() {
        Contexts.withDatabase().withUserConfiguration(OwnStorage.class).run(context -> {
            assertThat(context).hasSingleBean(StorageProvider.class);
            assertThat(context.getBean(Treadle.class).storage()).isInstanceOf(InMemoryStorageProvider.class);
        });
    }

    @Test
    void a_treadle_of_the_application_counts_and_is_not_started_if_it_only_enqueues() {
        Contexts.withDatabase()
                .withPropertyValues("treadle.server.enabled=false")
                .withUserConfiguration(OwnTreadle.class)
                .run(context -> assertThat(context).hasSingleBean(Treadle.class).hasBean("own"));
    }

    @Test
    void a_scheduler_of_the_application_counts() {
        Contexts.withDatabase()
                .withUserConfiguration(OwnScheduler.class)
                .run(context ->
                        assertThat(context).hasSingleBean(JobScheduler.class).doesNotHaveBean("jobScheduler"));
    }

    @Test
    void of_several_databases_the_marked_one_keeps_the_jobs() {
        Contexts.plain()
                .withUserConfiguration(MarkedDatabase.class)
                .run(context -> assertThat(
                                context.getBean(Treadle.class).storage().description())
                        .contains("mem:jobs"));
    }

    @Test
    void a_pool_behind_a_proxy_that_connects_late_is_a_pool() {
        // since Spring Boot 4.1; others do not know the property
        Contexts.withDatabase()
                .withPropertyValues("spring.datasource.connection-fetch=lazy")
                .run(context -> assertThat(context.getBean(Treadle.class)
                                .server()
                                .orElseThrow()
                                .state())
                        .isEqualTo(ServerState.RUNNING));
    }

    @Test
    void of_several_databases_none_is_guessed() {
        Contexts.plain()
                .withUserConfiguration(TwoDatabases.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(TreadleSetupException.class)
                        .hasMessageContaining("@TreadleDataSource"));
    }

    @Test
    void two_handlers_of_one_type_are_refused_by_name() {
        Contexts.withDatabase()
                .withUserConfiguration(TwoHandlers.class)
                .run(
                        context -> assertThat(context.getStartupFailure())
                                .rootCause()
                                .hasMessage(
                                        "Two beans handle jobs of " + Mail.class.getName() + ": 'one' and 'another'."
                                                + " A request has one handler: remove one of the beans, or make two types of requests."));
    }
}
