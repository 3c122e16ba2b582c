package dev.treadle.cdi;

import dev.treadle.Treadle;
import dev.treadle.api.JobScheduler;
import dev.treadle.api.Queues;
import dev.treadle.api.RecurringJobs;
import dev.treadle.api.TreadleSetupException;
import dev.treadle.job.JobRequestHandler;
import dev.treadle.job.ResultHandler;
import dev.treadle.jta.JtaTransactionLink;
import dev.treadle.server.JobServer;
import dev.treadle.storage.StorageProvider;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.spi.BeanContainer;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The beans of Treadle, and its life: its server starts when all else in the application has started, and stops as the
 * first. What no property sets is set by an observer of the builder:
 *
 * <pre>{@code
 * void settings(@Observes Treadle.Builder builder) {
 *     builder.retry(TimeoutException.class, RetryPolicy.NEVER);
 * }
 * }</pre>
 *
 * <p>Made by the container.
 */
@ApplicationScoped
public class TreadleBeans {
    /** After the observers of libraries and of the application. */
    private static final int LAST = Integer.MAX_VALUE;

    private static final int FIRST = 1;

    @Inject
    BeanContainer beans;

    @Inject
    Instance<StorageProvider> storages;

    @Inject
    Instance<DataSource> dataSources;

    @Inject
    @TreadleDataSource
    Instance<DataSource> markedDataSources;

    @Inject
    Instance<TransactionSynchronizationRegistry> registries;

    @Inject
    Instance<TransactionManager> managers;

    @Inject
    Instance<RequestContextController> requests;

    @Inject
    Event<Treadle.Builder> building;

    /** Not used: because of these two, Quarkus does not remove handlers as beans that nobody asks for. */
    @Inject
    @Any
    Instance<JobRequestHandler<?>> handlers;

    @Inject
    @Any
    Instance<ResultHandler<?, ?>> resultHandlers;

    private volatile Settings settings = new Settings(ApplicationProperties.NONE);
    private volatile @Nullable JobStorage storage;
    private volatile @Nullable Treadle built;
    private volatile @Nullable Treadle started;

    /** Made by the container. */
    public TreadleBeans() {}

    /** Not by the constructor, which proxies have too. */
    @PostConstruct
    void read() {
        settings = new Settings(ApplicationProperties.ofApplication());
    }

    @Produces
    @Singleton
    Treadle treadle() {
        try {
            JobStorage opened =
                    JobStorage.of(new JobStorage.Choice(storages, markedDataSources, dataSources), settings.storage());
            storage = opened;
            Treadle treadle = built(opened);
            built = treadle;
            return treadle;
        } catch (TreadleSetupException e) {
            close();
            throw e;
        } catch (IllegalArgumentException | IllegalStateException e) {
            close();
            throw new TreadleSetupException(
                    "Treadle cannot be set up as this application says: " + e.getMessage(),
                    "Change what the message names: in treadle.*, or where Treadle.Builder is observed.",
                    e);
        }
    }

    private Treadle built(JobStorage storage) {
        RunScopes runs = new RunScopes(requests);
        Treadle.Builder builder = Treadle.on(storage.storage())
                .activator(new BeanActivator(beans, runs))
                .intercept(runs);
        if (storage.joined() != null) {
            builder.transactionLink(link()).transactionsOf(storage.joined());
        }
        new HandlerBeans(beans).register(builder);
        settings.applyTo(builder);
        building.fire(builder);
        return settings.hasServer() ? builder.build() : builder.enqueueOnly();
    }

    private JtaTransactionLink link() {
        if (registries.isResolvable()) {
            return JtaTransactionLink.of(registries.get());
        }
        if (managers.isResolvable()) {
            return JtaTransactionLink.of(managers.get());
        }
        throw new TreadleSetupException(
                "The application's DataSource takes part in transactions of JTA, and no bean is a TransactionManager or a"
                        + " TransactionSynchronizationRegistry.",
                "Produce one, or mark a DataSource that takes part in no transactions with @TreadleDataSource.",
                null);
    }

    @Produces
    @Singleton
    JobScheduler jobs(Treadle treadle) {
        return treadle.jobs();
    }

    @Produces
    @Singleton
    Queues queues(Treadle treadle) {
        return treadle.queues();
    }

    @Produces
    @Singleton
    RecurringJobs recurringJobs(Treadle treadle) {
        return treadle.jobs().recurring();
    }

    void start(@Observes @Priority(LAST) Startup event, Treadle treadle, FoundBeans found) {
        if (settings.hasServer()) {
            new RecurringBeans(found, settings.properties(), treadle.jobs().recurring()).declare();
            treadle.startServer();
            started = treadle;
        }
    }

    /** Running jobs may end while all that they need is there. Jobs can still be enqueued. */
    void stop(@Observes @Priority(FIRST) Shutdown event) {
        Treadle running = started;
        if (running != null) {
            running.server().ifPresent(JobServer::close);
        }
    }

    @PreDestroy
    void close() {
        Treadle treadle = built;
        JobStorage opened = storage;
        try {
            if (treadle != null) {
                treadle.close();
            } else if (opened != null) {
                opened.storage().close();
            }
        } finally {
            if (opened != null) {
                opened.pool().run();
            }
        }
    }
}
