package dev.treadle.faults;

import com.sun.management.OperatingSystemMXBean;
import dev.treadle.Treadle;
import dev.treadle.job.JobContext;
import dev.treadle.server.JobServerSettings;
import dev.treadle.storage.sql.SqlStorageProvider;
import dev.treadle.storage.sql.TestDatabases;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * How fast a backlog of jobs that do nothing drains through the public API on a PostgreSQL that syncs; not a test, a
 * check that reliability did not cost the speed. Prints one line for each step.
 *
 * <pre>{@code java -cp … dev.treadle.faults.DrainProgram [executor] [jobs]}</pre>
 */
public final class DrainProgram {
    private final DataSource database;
    private final CountDownLatch left;
    private final int jobs;

    private DrainProgram(DataSource database, int jobs) {
        this.database = database;
        this.jobs = jobs;
        this.left = new CountDownLatch(jobs);
    }

    /** @param args the executor's name, then how many jobs */
    public static void main(String[] args) throws Exception {
        String executor = args.length > 0 ? args[0] : "pool";
        int jobs = args.length > 1 ? Integer.parseInt(args[1]) : 200_000;
        RealPostgres postgres = RealPostgres.shared();
        new DrainProgram(postgres.dataSource(), jobs).run(postgres.url(), executor);
        System.exit(0);
    }

    private void run(String url, String executor) throws Exception {
        try (Treadle enqueuer =
                Treadle.on(SqlStorageProvider.open(url, null, null)).enqueueOnly()) {
            TestDatabases.empty(database);
            Figures atStart = figures();
            long began = System.nanoTime();
            enqueuer.jobs().enqueueAll(IntStream.range(0, jobs).mapToObj(n -> FaultWork.good(n, 0)));
            print("enqueue in bulk", System.nanoTime() - began, atStart);
            execute("analyze");
            execute("checkpoint");
        }
        Figures atStart = figures();
        long began = System.nanoTime();
        try (Treadle treadle = Treadle.on(SqlStorageProvider.open(url, null, null))
                .handler(FaultWork.class, this::done)
                .executor(executor)
                .settings(JobServerSettings.DEFAULT)
                .start()) {
            left.await();
            while (number("select count(*) from treadle_lease") > 0) {
                LockSupport.parkNanos(5_000_000);
            }
            long nanos = System.nanoTime() - began;
            int workers = treadle.server().orElseThrow().self().workers();
            print(
                    "drain on " + executor + " (" + workers + ", Java "
                            + Runtime.version().feature() + ")",
                    nanos,
                    atStart);
        }
        System.out.println("recorded: " + number("select count(*) from treadle_history where event = 0"));
    }

    private Void done(FaultWork work, JobContext job) {
        left.countDown();
        return null;
    }

    /** Statements are transactions here: each verb is one statement that commits by itself. */
    private record Figures(long transactions, long walBytes, long cpuNanos) {}

    private Figures figures() throws SQLException, InterruptedException {
        // backends tell their counts at most once a second
        Thread.sleep(1_200);
        long cpu = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
        return new Figures(
                number("select xact_commit from pg_stat_database where datname = current_database()"),
                number("select pg_current_wal_lsn() - '0/0'::pg_lsn"),
                cpu);
    }

    private void print(String what, long nanos, Figures before) throws SQLException, InterruptedException {
        Figures after = figures();
        double seconds = nanos / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%s: %d jobs in %.1f s = %.0f jobs/s, %.4f transactions/job, %.0f WAL bytes/job, %.1f CPU us/job here%n",
                what,
                jobs,
                seconds,
                jobs / seconds,
                (double) (after.transactions() - before.transactions()) / jobs,
                (double) (after.walBytes() - before.walBytes()) / jobs,
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / jobs);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
