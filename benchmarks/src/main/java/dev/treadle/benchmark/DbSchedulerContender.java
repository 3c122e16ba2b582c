package dev.treadle.benchmark;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** db-scheduler, one-time tasks with serialised data. */
final class DbSchedulerContender implements Contender {
    private static final int CONNECTIONS = 20;
    /** From here on its docs advise virtual threads over a pool. */
    private static final int POOL_MAX = 100;

    private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);
    private static final double LOWER = 4.0;
    private static final double UPPER = 20.0;
    private static final double LOWER_OF_MANY = 0.5;
    private static final double UPPER_OF_MANY = 4.0;
    /** As its documentation gives it for PostgreSQL. */
    private static final String TABLE = """
            create table scheduled_tasks (
              task_name text not null, task_instance text not null, task_data bytea,
              execution_time timestamp with time zone not null,
              picked boolean not null, picked_by text,
              last_success timestamp with time zone, last_failure timestamp with time zone,
              consecutive_failures int, last_heartbeat timestamp with time zone,
              version bigint not null, priority smallint,
              primary key (task_name, task_instance));
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)
            """;

    private final Database database;
    private final HikariDataSource pool;
    private final OneTimeTask<Work> task;
    private final SchedulerClient client;
    private final AtomicLong instances = new AtomicLong(System.nanoTime());
    private @Nullable Scheduler scheduler;

    DbSchedulerContender(Database database, Consumer<Work> body) {
        this.database = database;
        this.pool = database.pool(CONNECTIONS);
        this.task = Tasks.oneTime("work", Work.class).execute((instance, context) -> body.accept(instance.getData()));
        this.client = SchedulerClient.Builder.create(pool, task).build();
    }

    @Override
    public void prepare() {
        database.run(TABLE);
    }

    @Override
    public void enqueueOne(Work work) {
        // through the running scheduler where there is one: it then looks for it at once
        SchedulerClient door = scheduler != null ? scheduler : client;
        door.scheduleIfNotExists(instance(work), Instant.now());
    }

    @Override
    public void enqueueBulk(Stream<Work> work) {
        client.scheduleBatch(work.<TaskInstance<?>>map(this::instance), Instant.now());
    }

    private TaskInstance<Work> instance(Work work) {
        return task.instance(String.valueOf(instances.incrementAndGet()), work);
    }

    @Override
    public void startWorkers(int workers) {
        SchedulerBuilder builder = Scheduler.create(pool, task)
                .threads(workers)
                .pollingInterval(POLLING_INTERVAL)
                .enableImmediateExecution();
        if (workers > POOL_MAX) {
            builder.executorService(Executors.newVirtualThreadPerTaskExecutor())
                    .pollUsingLockAndFetch(LOWER_OF_MANY, UPPER_OF_MANY);
        } else {
            builder.pollUsingLockAndFetch(LOWER, UPPER);
        }
        scheduler = builder.build();
        scheduler.start();
    }

    @Override
    public void stopWorkers() {
        if (scheduler != null) {
            scheduler.stop();
            scheduler = null;
        }
    }

    @Override
    public boolean isDrained() {
        return database.holds("not exists (select 1 from scheduled_tasks)");
    }

    @Override
    public long waiting() {
        return database.number("count(*) from scheduled_tasks");
    }

    @Override
    public OptionalLong finished() {
        return OptionalLong.empty();
    }

    @Override
    public void close() {
        stopWorkers();
        pool.close();
    }
}
