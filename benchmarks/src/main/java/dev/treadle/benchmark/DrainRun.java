package dev.treadle.benchmark;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Jobs are there; workers start; the window ends when the storage says that nothing is left. */
final class DrainRun {
    static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Task task;
    private final Database database;
    private final Contender contender;
    private final JobBody body;

    DrainRun(Task task, Database database, Contender contender, JobBody body) {
        this.task = task;
        this.database = database;
        this.contender = contender;
        this.body = body;
    }

    Sample measure() throws Exception {
        contender.prepare();
        long before = contender.finished().orElse(0);
        warmUp();
        RunLog log = new RunLog(task.jobs());
        body.noteIn(log);
        database.checkpoint();
        contender.enqueueBulk(work(task.jobs(), task.number("millis", 0)));
        database.settle();
        try (Connection pin = task.is("pinned") ? pinHorizon() : null) {
            Meter meter = Meter.begin(database, task.postmaster());
            contender.startWorkers(task.workers());
            log.await(PATIENCE);
            awaitDrained(contender);
            long ended = System.nanoTime();
            Sample cost = meter.perJob(task.jobs());
            if (pin != null) {
                pin.rollback();
            }
            log.verify();
            verify(contender, before + warmJobs() + task.jobs());
            contender.stopWorkers();
            // from the first job on, so that nobody's start-up is measured
            Sample sample = cost.with(seconds(ended - log.firstAt()));
            return blocks() ? sample.with(Measure.IN_FLIGHT_MAX, log.inFlightMax()) : sample;
        }
    }

    private boolean blocks() {
        return task.number("millis", 0) > 0;
    }

    private Sample seconds(long nanos) {
        double seconds = nanos / 1e9;
        return blocks()
                ? Sample.of(Measure.SECONDS, seconds)
                : Sample.of(Measure.JOBS_PER_SECOND, task.jobs() / seconds);
    }

    private int warmJobs() {
        return task.number("warm", Math.max(100, task.jobs() / 5));
    }

    /** The same once before on fewer jobs, so that what is measured is compiled. */
    private void warmUp() throws Exception {
        if (warmJobs() == 0) {
            return;
        }
        RunLog log = new RunLog(warmJobs());
        body.noteIn(log);
        contender.enqueueBulk(work(warmJobs(), 0));
        contender.startWorkers(task.workers());
        log.await(PATIENCE);
        awaitDrained(contender);
        contender.stopWorkers();
    }

    static Stream<Work> work(int jobs, int millis) {
        return IntStream.range(0, jobs).mapToObj(number -> new Work(number, 0, millis));
    }

    static void awaitDrained(Contender contender) throws InterruptedException {
        awaitDrained(contender, 2);
    }

    static void awaitDrained(Contender contender, int everyMillis) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!contender.isDrained()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("All jobs have run, and the storage still says that some have not.");
            }
            Thread.sleep(everyMillis);
        }
    }

    static void verify(Contender contender, long expected) {
        OptionalLong finished = contender.finished();
        if (finished.isPresent() && finished.getAsLong() != expected) {
            throw new IllegalStateException("The storage says that " + finished.getAsLong() + " jobs ended well, and "
                    + expected + " were enqueued.");
        }
    }

    /** A transaction that somebody forgot: from now on no dead row can be removed. */
    private Connection pinHorizon() throws SQLException {
        Connection pin = database.connect();
        pin.setAutoCommit(false);
        pin.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = pin.createStatement();
                ResultSet rows = statement.executeQuery("select " + Database.OURS + " count(*) from pg_class")) {
            rows.next();
        }
        return pin;
    }
}
