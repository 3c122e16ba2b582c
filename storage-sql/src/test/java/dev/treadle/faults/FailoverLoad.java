package dev.treadle.faults;

import dev.treadle.Treadle;
import dev.treadle.api.JobOptions;
import dev.treadle.job.JobId;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.SqlStorageSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * An application that enqueues all the time, from several threads and in several ways, and goes on whatever fails. It keeps
 * its own record of what was acknowledged.
 */
final class FailoverLoad implements AutoCloseable {
    /** What the application writes in the transactions in which it enqueues. */
    static final String ORDERS = "failover_order";

    private static final int BATCH = 20;
    private static final int MILLIS = 5;
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final String url;
    private final Treadle treadle;
    private final Set<JobId> acknowledged = ConcurrentHashMap.newKeySet();
    /** Enqueued in transactions with a row of the application, whether these were committed or not. */
    private final Set<JobId> joined = ConcurrentHashMap.newKeySet();

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile boolean enough;

    /** Makes the tables, and enqueues nothing yet. */
    FailoverLoad(String url) {
        this.url = url;
        this.treadle = Treadle.on(
                        SqlStorageProvider.open(url, null, null, SqlStorageSettings.DEFAULT.withConnectionWait(WAIT)))
                .enqueueOnly();
    }

    void begin() {
        List.<Call>of(this::one, this::batch, this::withEffect, this::inTransaction)
                .forEach(call -> threads.execute(() -> untilEnough(call)));
    }

    private interface Call {
        void run() throws SQLException;
    }

    private void untilEnough(Call call) {
        while (!enough) {
            try {
                call.run();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(MILLIS));
            } catch (StorageException | SQLException e) {
                failures.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10L * MILLIS));
            }
        }
    }

    private void one() {
        acknowledged.add(treadle.jobs().enqueue(FaultWork.good(numbers.incrementAndGet(), MILLIS)));
    }

    private void batch() {
        acknowledged.addAll(treadle.jobs()
                .enqueueAll(IntStream.range(0, BATCH).mapToObj(n -> FaultWork.good(numbers.incrementAndGet(), 1))));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BATCH * MILLIS));
    }

    private void withEffect() {
        acknowledged.add(treadle.jobs().enqueue(new FaultEffect(numbers.incrementAndGet(), MILLIS, true)));
    }

    private void inTransaction() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement order = connection.prepareStatement("insert into " + ORDERS + " values (?)")) {
            connection.setAutoCommit(false);
            JobId job = treadle.jobs().in(connection).enqueue(FaultWork.good(numbers.incrementAndGet(), 1));
            joined.add(job);
            order.setObject(1, job.value());
            order.executeUpdate();
            connection.commit();
            acknowledged.add(job);
        }
    }

    /** Enqueues such jobs beside all others. */
    List<JobId> enqueue(int count, int millis) {
        List<JobId> ids = treadle.jobs()
                .enqueueAll(IntStream.range(0, count).mapToObj(n -> FaultWork.good(numbers.incrementAndGet(), millis)));
        acknowledged.addAll(ids);
        return ids;
    }

    /** Enqueues a job into a queue, which may be one that nobody has heard of. */
    JobId enqueueInto(String queue) {
        JobId id = treadle.jobs()
                .with(JobOptions.DEFAULT.withQueue(queue))
                .enqueue(FaultWork.good(numbers.incrementAndGet(), 1));
        acknowledged.add(id);
        return id;
    }

    Set<JobId> acknowledged() {
        return Set.copyOf(acknowledged);
    }

    Set<JobId> joined() {
        return Set.copyOf(joined);
    }

    int acknowledgedCount() {
        return acknowledged.size();
    }

    int failures() {
        return failures.get();
    }

    /** Returns when no more is enqueued. */
    void end() throws InterruptedException {
        enough = true;
        threads.shutdown();
        if (!threads.awaitTermination(Faults.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("A call that enqueues does not return.");
        }
    }

    @Override
    public void close() {
        enough = true;
        threads.shutdownNow();
        treadle.close();
    }
}
