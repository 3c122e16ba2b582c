package dev.treadle.cdi;

import static dev.treadle.cdi.Application.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.cdi.Application.Done;
import dev.treadle.cdi.Application.Memory;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.StateName;
import dev.treadle.server.ServerState;
import dev.treadle.storage.sql.SqlStorageProvider;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Where jobs are kept, how the server is set, and how it starts and stops with the application. */
class StorageTest {
    private static final String URL = Databases.newUrl();

    record Work(String what) implements JobRequest<Void> {}

    @Singleton
    static class Worker implements JobRequestHandler<Work> {
        final CountDownLatch begun = new CountDownLatch(1);

        @Inject
        Done done;

        @Override
        public void run(Work work, JobContext job) throws InterruptedException {
            begun.countDown();
            while (work.what().equals("until the stop") && !job.shouldStop()) {
                Thread.sleep(10);
            }
            done.all.add(work.what());
        }
    }

    @Singleton
    static class OneDataSource {
        @Produces
        @Singleton
        DataSource database() {
            return Databases.pool(URL);
        }
    }

    @Singleton
    static class AnotherDataSource {
        @Produces
        @Singleton
        DataSource another() {
            return Databases.pool(Databases.newUrl());
        }
    }

    @Singleton
    static class MarkedDataSource {
        @Produces
        @Singleton
        @TreadleDataSource
        DataSource marked() {
            return Databases.pool(Databases.newUrl());
        }
    }

    /** A pool of Agroal that takes part in no transactions. */
    @Singleton
    static class PlainAgroal {
        @Produces
        @Singleton
        DataSource plain() throws SQLException {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(10)
                            .connectionFactoryConfiguration(factory -> factory.jdbcUrl(Databases.newUrl())
                                    .connectionProviderClass(JdbcDataSource.class))));
        }
    }

    @Singleton
    static class NoDatabase {
        @Produces
        @Singleton
        DataSource nowhere() {
            return Databases.pool("jdbc:h2:tcp://localhost:1/nowhere");
        }
    }

    @Singleton
    static class Observing {
        void settings(@Observes Treadle.Builder builder, Done done) {
            builder.loggingContext(false);
            done.all.add("observed");
        }
    }

    @Test
    void the_only_data_source_keeps_the_jobs_also_after_the_application_has_stopped() throws Exception {
        JobId id;
        try (SeContainer container = Application.start(Done.class, Worker.class, OneDataSource.class)) {
            Treadle treadle = container.select(Treadle.class).get();
            id = treadle.jobs().enqueue(new Work("until the stop"));
            assertTrue(container.select(Worker.class).get().begun.await(SOON.toSeconds(), TimeUnit.SECONDS));
            assertEquals(ServerState.RUNNING, treadle.server().orElseThrow().state());
        }

        try (Treadle later =
                Treadle.on(SqlStorageProvider.using(Databases.pool(URL))).enqueueOnly()) {
            assertEquals(StateName.SUCCEEDED, later.jobs().states(Set.of(id)).get(id));
        }
    }

    @Test
    void of_several_the_marked_one_keeps_the_jobs() {
        try (SeContainer container = Application.start(
                Done.class, Worker.class, OneDataSource.class, AnotherDataSource.class, MarkedDataSource.class)) {
            container.select(JobScheduler.class).get().enqueue(new Work("marked"));

            container.select(Done.class).get().await("marked");
        }
    }

    @Test
    void a_pool_of_agroal_without_transactions_keeps_the_jobs() {
        try (SeContainer container = Application.start(Done.class, Worker.class, PlainAgroal.class)) {
            container.select(JobScheduler.class).get().enqueue(new Work("plain"));

            container.select(Done.class).get().await("plain");
        }
    }

    @Test
    void properties_and_observers_of_the_builder_set_the_server() {
        Map<String, String> properties = Map.of(
                "treadle.server.workers", "2", "treadle.server.name", "cdi-one", "treadle.server.executor", "pool");
        try (SeContainer container = Application.start(properties, Done.class, Memory.class, Observing.class)) {
            Treadle treadle = container.select(Treadle.class).get();

            assertTrue(container.select(Done.class).get().all.contains("observed"));
            assertEquals("cdi-one", treadle.server().orElseThrow().self().name());
        }
    }

    @Test
    void an_application_may_only_enqueue() {
        try (SeContainer container =
                Application.start(Map.of("treadle.server.enabled", "false"), Done.class, Memory.class, Worker.class)) {
            Treadle treadle = container.select(Treadle.class).get();

            JobId id = treadle.jobs().enqueue(new Work("elsewhere"));

            assertFalse(treadle.server().isPresent());
            assertEquals(StateName.ENQUEUED, treadle.jobs().states(Set.of(id)).get(id));
        }
    }

    @Test
    void where_jobs_cannot_be_kept_the_application_does_not_start() {
        assertRefused("this application has no DataSource without qualifiers. Define one");
        assertRefused(
                "Treadle does not know which of this application's DataSources keeps the jobs. Mark one with"
                        + " @TreadleDataSource.",
                OneDataSource.class,
                AnotherDataSource.class);
        assertRefused("Treadle cannot keep its jobs in this application's DataSource: ", NoDatabase.class);
    }

    @Test
    void a_property_that_is_no_value_is_refused() {
        assertRefused(Map.of("treadle.server.workers", "many"), "The property treadle.server.workers is 'many'.");
        assertRefused(Map.of("treadle.server.workers", "0"), "Treadle cannot be set up as this application says: ");
        assertRefused(Map.of("treadle.server.enabled", "no"), "Write true or false.");
        assertRefused(Map.of("treadle.server.stop-patience", "10"), "Write a duration in ISO 8601, such as PT10S.");
        assertRefused(Map.of("treadle.storage.schema", "none"), "Write one of [MIGRATE, VALIDATE].");
    }

    private static void assertRefused(String expected, Class<?>... beans) {
        String said = Application.refused(beans);
        assertTrue(said.contains(expected), said);
    }

    private static void assertRefused(Map<String, String> properties, String expected) {
        String said = Application.refused(properties, Memory.class);
        assertTrue(said.contains(expected), said);
    }
}
