package dev.treadle.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.QueueOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** DBOS Transact for Java: workflows that start workflows and wait for their results. */
final class DbosFlow implements Flow {
    private static final int CONNECTIONS = 20;
    /** Its default is a second. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Database database;
    private final Consumer<Work> body;
    private final IntConsumer joined;
    private @Nullable HikariDataSource pool;
    private @Nullable DBOS dbos;
    private @Nullable DbosWork work;

    /** @param joined told when a chain goes on behind its child */
    DbosFlow(Database database, Consumer<Work> body, IntConsumer joined) {
        this.database = database;
        this.body = body;
        this.joined = joined;
    }

    @Override
    public void start() {
        pool = database.pool(CONNECTIONS);
        DBOS made = new DBOS(DBOSConfig.defaults("bench").withDataSource(pool).withAppVersion("1"));
        DbosWork.Code code = new DbosWork.Code(made, body, joined);
        DbosWork proxy = made.registerProxy(DbosWork.class, code);
        code.callBy(proxy);
        dbos = made;
        work = proxy;
        made.launch();
        made.registerQueue(
                DbosWork.QUEUE,
                QueueOptions.setWorkerConcurrency(Peer.DBOS.workers()).andPollingInterval(POLL_INTERVAL));
    }

    private DbosWork work() {
        return Objects.requireNonNull(work, "not started");
    }

    @Override
    public void plain(int jobs) {
        DBOS running = Objects.requireNonNull(dbos);
        StartWorkflowOptions queued = new StartWorkflowOptions().withQueue(DbosWork.QUEUE);
        for (int i = 0; i < jobs; i++) {
            int number = i;
            running.startWorkflow(() -> work().leaf(number), queued);
        }
    }

    @Override
    public void tree(int children) {
        work().branch(0, children);
    }

    @Override
    public void tree(int children, int each) {
        work().root(children, each);
    }

    @Override
    public void chain(int number) {
        work().chain(number);
    }

    @Override
    public boolean isDrained() {
        return database.holds(
                "not exists (select 1 from dbos.workflow_status where status in ('ENQUEUED', 'PENDING', 'DELAYED'))");
    }

    @Override
    public long finished() {
        return database.number("count(*) from dbos.workflow_status where status = 'SUCCESS'");
    }

    @Override
    public void close() {
        if (dbos != null) {
            dbos.shutdown();
            dbos = null;
        }
        if (pool != null) {
            pool.close();
        }
    }
}
