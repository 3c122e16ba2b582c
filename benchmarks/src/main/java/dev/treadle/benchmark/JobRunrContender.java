package dev.treadle.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;
import org.jspecify.annotations.Nullable;

/** JobRunr OSS, without its static front: storage, scheduler and server made by hand. */
final class JobRunrContender implements Contender {
    private static final int CONNECTIONS = 20;
    /** The smallest it takes on a SQL database. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    private final Database database;
    private final HikariDataSource pool;
    private final Jackson3JsonMapper json = new Jackson3JsonMapper();
    private final JobRunrWork.Handler handler;
    private final PostgresStorageProvider storage;
    private final JobRequestScheduler scheduler;
    private @Nullable BackgroundJobServer server;

    JobRunrContender(Database database, Consumer<Work> body) {
        this.database = database;
        this.pool = database.pool(CONNECTIONS);
        this.handler = new JobRunrWork.Handler(body);
        this.storage = new PostgresStorageProvider(pool);
        this.storage.setJobMapper(new JobMapper(json));
        this.scheduler = new JobRequestScheduler(storage);
    }

    /** Its storage made them. */
    @Override
    public void prepare() {}

    @Override
    public void enqueueOne(Work work) {
        scheduler.enqueue(JobRunrWork.of(work));
    }

    @Override
    public void enqueueBulk(Stream<Work> work) {
        scheduler.enqueue(work.map(JobRunrWork::of));
    }

    @Override
    public void startWorkers(int workers) {
        BackgroundJobServerConfiguration settings =
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andPollInterval(POLL_INTERVAL)
                        .andWorkerCount(workers);
        JobActivator activator = new JobActivator() {
            @Override
            public <T> T activateJob(Class<T> type) {
                return type.cast(handler);
            }
        };
        server = new BackgroundJobServer(storage, json, activator, settings);
        server.start();
    }

    @Override
    public void stopWorkers() {
        if (server != null) {
            server.stop();
            server = null;
        }
    }

    @Override
    public boolean isDrained() {
        return database.holds("not exists (select 1 from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING'))");
    }

    @Override
    public long waiting() {
        return database.number("count(*) from jobrunr_jobs where state = 'ENQUEUED'");
    }

    @Override
    public OptionalLong finished() {
        return OptionalLong.of(database.number("count(*) from jobrunr_jobs where state = 'SUCCEEDED'"));
    }

    @Override
    public void close() {
        stopWorkers();
        pool.close();
    }
}
