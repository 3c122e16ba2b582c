package dev.treadle.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.utils.DBConnectionManager;

/** Quartz with its JDBC store, as a cluster has it. A job and a trigger for each piece of work. */
final class QuartzContender implements Contender {
    /** Its documentation: at least three more than threads. */
    private static final int CONNECTIONS_MORE = 5;

    private static final int THREADS = 20;
    private static final String SOURCE = "bench";
    private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";

    private final Database database;
    private final Consumer<Work> body;
    private final AtomicLong names = new AtomicLong(System.nanoTime());
    private final HikariDataSource pool;
    private @Nullable Scheduler scheduler;

    QuartzContender(Database database, Consumer<Work> body) {
        this.database = database;
        this.body = body;
        this.pool = database.pool(THREADS + CONNECTIONS_MORE);
    }

    @Override
    public void prepare() {
        try (InputStream in = Scheduler.class.getResourceAsStream(TABLES)) {
            if (in == null) {
                throw new IllegalStateException("Quartz has no " + TABLES + " any more.");
            }
            database.run(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Synchronized, because many threads may enqueue at once before one has. */
    private synchronized Scheduler open(int threads) {
        if (scheduler == null) {
            try {
                // again for each, because the one before has told Quartz to forget it
                DBConnectionManager.getInstance().addConnectionProvider(SOURCE, new QuartzConnections(pool));
                scheduler = new StdSchedulerFactory(settings(threads)).getScheduler();
                scheduler.setJobFactory((bundle, by) -> new QuartzJob(body));
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }
        return scheduler;
    }

    private static Properties settings(int threads) {
        Properties settings = new Properties();
        Map.ofEntries(
                        Map.entry("scheduler.instanceName", "bench"),
                        Map.entry("scheduler.instanceId", "AUTO"),
                        Map.entry("scheduler.skipUpdateCheck", "true"),
                        Map.entry("scheduler.idleWaitTime", "1000"),
                        Map.entry("scheduler.batchTriggerAcquisitionMaxCount", String.valueOf(threads)),
                        Map.entry("threadPool.class", "org.quartz.simpl.SimpleThreadPool"),
                        Map.entry("threadPool.threadCount", String.valueOf(threads)),
                        Map.entry("jobStore.class", JobStoreTX.class.getName()),
                        Map.entry("jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName()),
                        Map.entry("jobStore.dataSource", SOURCE),
                        Map.entry("jobStore.useProperties", "true"),
                        Map.entry("jobStore.isClustered", "true"),
                        Map.entry("jobStore.acquireTriggersWithinLock", "true"),
                        Map.entry("jobStore.misfireThreshold", "600000"))
                .forEach((key, value) -> settings.setProperty("org.quartz." + key, value));
        return settings;
    }

    @Override
    public void enqueueOne(Work work) throws SchedulerException {
        JobDetail detail = detail(work);
        open(THREADS).scheduleJob(detail, trigger(detail));
    }

    @Override
    public void enqueueBulk(Stream<Work> work) throws SchedulerException {
        Map<JobDetail, Set<? extends Trigger>> all = new HashMap<>();
        work.forEach(one -> {
            JobDetail detail = detail(one);
            all.put(detail, Set.of(trigger(detail)));
        });
        open(THREADS).scheduleJobs(all, false);
    }

    private JobDetail detail(Work work) {
        return JobBuilder.newJob(QuartzJob.class)
                .withIdentity(String.valueOf(names.incrementAndGet()))
                .setJobData(QuartzJob.data(work))
                .build();
    }

    private static Trigger trigger(JobDetail detail) {
        return TriggerBuilder.newTrigger()
                .withIdentity(detail.getKey().getName())
                .startNow()
                .build();
    }

    @Override
    public void startWorkers(int workers) throws SchedulerException {
        stopWorkers();
        open(workers).start();
    }

    @Override
    public void stopWorkers() throws SchedulerException {
        if (scheduler != null) {
            scheduler.shutdown(true);
            scheduler = null;
        }
    }

    @Override
    public boolean isDrained() {
        return database.holds("not exists (select 1 from qrtz_triggers)"
                + " and not exists (select 1 from qrtz_fired_triggers)"
                + " and not exists (select 1 from qrtz_job_details)");
    }

    @Override
    public long waiting() {
        return database.number("count(*) from qrtz_triggers");
    }

    @Override
    public OptionalLong finished() {
        return OptionalLong.empty();
    }

    @Override
    public void close() {
        try {
            stopWorkers();
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        } finally {
            pool.close();
        }
    }
}
