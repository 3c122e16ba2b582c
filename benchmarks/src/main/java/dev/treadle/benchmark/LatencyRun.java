package dev.treadle.benchmark;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/** How long it takes from the call that enqueues a job until the job begins, in this process or in another. */
final class LatencyRun {
    /** At shorter gaps than this the next job is sent whether or not the last one is committed. */
    private static final long GAP_OF_ONE_THREAD_MICROS = 10_000;

    private static final int WARM_GAP_MICROS = 2_000;
    private static final int WARM_JOBS = 500;

    private final Task task;
    private final Database database;
    private final Contender contender;
    private final JobBody body;

    LatencyRun(Task task, Database database, Contender contender, JobBody body) {
        this.task = task;
        this.database = database;
        this.contender = contender;
        this.body = body;
    }

    Sample measure() throws Exception {
        contender.prepare();
        return task.is("other") ? inAnotherProcess() : here();
    }

    private Sample here() throws Exception {
        contender.startWorkers(task.workers());
        RunLog warm = new RunLog(warmJobs());
        body.noteIn(warm);
        send(warmJobs(), WARM_GAP_MICROS);
        warm.await(DrainRun.PATIENCE);
        DrainRun.awaitDrained(contender);
        RunLog log = new RunLog(task.jobs());
        body.noteIn(log);
        Meter meter = Meter.begin(database, task.postmaster());
        send(task.jobs(), gapMicros());
        log.await(DrainRun.PATIENCE);
        DrainRun.awaitDrained(contender);
        Sample cost = meter.perJob(task.jobs());
        log.verify();
        double[] millis =
                LongStream.of(log.latencies()).mapToDouble(nanos -> nanos / 1e6).toArray();
        return cost.with(Measure.P50_MILLIS, Stats.percentile(50, millis))
                .with(Measure.P99_MILLIS, Stats.percentile(99, millis));
    }

    private Sample inAnotherProcess() throws Exception {
        try (ChildJvm worker = new ChildJvm(task.as(Task.Kind.WORKER))) {
            worker.ask("note " + warmJobs());
            worker.ask("start");
            send(warmJobs(), WARM_GAP_MICROS);
            DrainRun.awaitDrained(contender);
            // a job may be gone from the storage a moment before its run is noted
            Thread.sleep(Duration.ofMillis(100));
            worker.ask("note " + task.jobs());
            Meter meter = Meter.begin(database, task.postmaster(), List.of(worker.pid()));
            send(task.jobs(), gapMicros());
            DrainRun.awaitDrained(contender);
            Sample cost = meter.perJob(task.jobs());
            WorkerLoop.Report report = WorkerLoop.Report.parse(worker.ask("report"));
            if (report.total() != task.jobs()) {
                throw new IllegalStateException(report.total() + " runs of " + task.jobs() + " jobs.");
            }
            return cost.with(Measure.P50_MILLIS, report.p50Millis()).with(Measure.P99_MILLIS, report.p99Millis());
        }
    }

    private int warmJobs() {
        return task.number("warm", WARM_JOBS);
    }

    private long gapMicros() {
        return task.number("gap", 50_000);
    }

    private void send(int jobs, long gapMicros) throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        CountDownLatch committed = new CountDownLatch(jobs);
        long begin = System.nanoTime();
        for (int i = 0; i < jobs; i++) {
            long meant = begin + i * gapMicros * 1_000;
            for (long left; (left = meant - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(left);
            }
            if (gapMicros >= GAP_OF_ONE_THREAD_MICROS) {
                contender.enqueueOne(new Work(i, System.nanoTime(), 0));
                committed.countDown();
            } else {
                // why not the time of the call: a sender that is late because the system is slow must not hide it
                Work work = new Work(i, meant, 0);
                Thread.startVirtualThread(() -> {
                    try {
                        contender.enqueueOne(work);
                    } catch (Exception e) {
                        failure.set(e);
                    } finally {
                        committed.countDown();
                    }
                });
            }
        }
        committed.await();
        if (failure.get() != null) {
            throw failure.get();
        }
    }
}
