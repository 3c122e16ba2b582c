package dev.treadle.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobRequest;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.SqlStorageProvider;
import java.io.ByteArrayOutputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The published JDBC service as jobs: each reads 1.2 MiB of rows over a pool of connections and turns them into JSON. All
 * are enqueued before the window begins, so that a job's time counts from there, as a request's counts from its sending.
 */
final class JdbcRun {
    private static final int ROWS = 1_200;
    private static final int ROW_CHARS = 1_024;
    private static final double MEGABYTE = 1024 * 1024;
    private static final String DB = "db";

    /** One request of the service. */
    record Request(int number) implements JobRequest<Void> {}

    private final Task task;
    private final Database database;
    private final JsonMapper json = new JsonMapper();
    private final int permits;
    private final int waitMillis;

    JdbcRun(Task task, Database database) {
        this.task = task;
        this.database = database;
        this.permits = task.number("permits", 0);
        this.waitMillis = task.number("wait", 0);
    }

    Sample measure() throws Exception {
        database.run("create table article (id integer primary key, title varchar(100) not null, text text not null)");
        database.run("insert into article select n, 'article ' || n, repeat(md5(n::text), " + ROW_CHARS / 32
                + ") from generate_series(1, " + ROWS + ") n");
        int warm = Math.max(20, task.jobs() / 5);
        run(warm, 0);
        database.checkpoint();
        return run(task.jobs(), waitMillis);
    }

    private Sample run(int jobs, int wait) throws Exception {
        RunLog log = new RunLog(jobs);
        LongAdder bytes = new LongAdder();
        LongAdder nanos = new LongAdder();
        try (Treadle enqueuer = Treadle.on(storage()).enqueueOnly()) {
            enqueuer.jobs().enqueueAll(IntStream.range(0, jobs).mapToObj(Request::new));
        }
        database.settle();
        try (HikariDataSource pool = database.pool(task.number("connections", 80));
                HeapPeak heap = new HeapPeak()) {
            long gcBefore = gcMillis();
            double cpuBefore = ProcessTimes.micros(self());
            long from = System.nanoTime();
            JobServerSettings settings = JobServerSettings.DEFAULT.withWorkers(task.workers());
            Treadle.Builder builder = Treadle.on(storage())
                    .executor(task.param("executor", "virtual"))
                    .settings(permits > 0 ? settings.withResource(DB, permits) : settings)
                    .handler(Request.class, (request, job) -> {
                        Work work = new Work(request.number(), 0, 0);
                        log.began(work, System.nanoTime());
                        // the published service waits before it asks the database, with no connection in its hand
                        TimeUnit.MILLISECONDS.sleep(wait);
                        bytes.add(answer(job, pool));
                        nanos.add(System.nanoTime() - from);
                        log.ended(work);
                    });
            try (Treadle treadle = builder.start()) {
                log.await(DrainRun.PATIENCE);
                while (!isDrained()) {
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                double seconds = (System.nanoTime() - from) / 1e9;
                log.verify();
                demandAll(bytes.sum(), jobs, treadle);
                return Sample.of(Measure.SECONDS, seconds)
                        .with(Measure.MEAN_SECONDS, nanos.sum() / 1e9 / jobs)
                        .with(Measure.PER_SECOND, jobs / seconds)
                        .with(Measure.MEGABYTES_PER_SECOND, bytes.sum() / MEGABYTE / seconds)
                        .with(Measure.WORKER_CPU, (ProcessTimes.micros(self()) - cpuBefore) / jobs)
                        .with(Measure.PEAK_HEAP, heap.bytes() / MEGABYTE)
                        .with(Measure.RESIDENT, ProcessTimes.residentPeak(self()) / MEGABYTE)
                        .with(Measure.GC_MILLIS, gcMillis() - gcBefore);
            }
        }
    }

    private int answer(JobContext job, DataSource pool) throws Exception {
        return permits > 0 ? job.using(DB, () -> read(pool)) : read(pool);
    }

    /** Reads all rows and writes them as JSON; gives back how many bytes that came to. */
    private int read(DataSource pool) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Connection connection = pool.getConnection();
                PreparedStatement select = connection.prepareStatement("select id, title, text from article");
                ResultSet rows = select.executeQuery();
                JsonGenerator to = json.createGenerator(out)) {
            to.writeStartArray();
            while (rows.next()) {
                to.writeStartObject();
                to.writeNumberProperty("id", rows.getInt(1));
                to.writeStringProperty("title", rows.getString(2));
                to.writeStringProperty("text", rows.getString(3));
                to.writeEndObject();
            }
            to.writeEndArray();
        }
        return out.size();
    }

    private void demandAll(long bytes, int jobs, Treadle treadle) {
        if (bytes < (long) jobs * ROWS * ROW_CHARS) {
            throw new IllegalStateException(jobs + " jobs wrote only " + bytes + " bytes.");
        }
        treadle.server().orElseThrow().resources().forEach(use -> {
            if (use.inUse() != 0 || use.waiting() != 0) {
                throw new IllegalStateException("Nothing runs, and of a resource something is held: " + use);
            }
        });
    }

    private SqlStorageProvider storage() {
        return SqlStorageProvider.open(database.url(), database.user(), "");
    }

    private boolean isDrained() {
        return database.holds("not exists (select 1 from treadle_lease) and not exists (select 1 from treadle_ready)");
    }

    private static List<Long> self() {
        return List.of(ProcessHandle.current().pid());
    }

    private static long gcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }
}
