package dev.treadle.benchmark;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** Jobs that are made of jobs: as many as others that are not, many that wait, and how soon one goes on. */
final class FlowRun {
    private static final long SECOND = 1_000_000_000L;
    private static final int CHAINS_WARM = 200;
    private static final int WOKEN = 20;

    private final Task task;
    private final Database database;
    private final JobBody body = new JobBody();
    /** When each chain went on, in nanoseconds. */
    private final AtomicLongArray joined;

    FlowRun(Task task, Database database) {
        this.task = task;
        this.database = database;
        this.joined = new AtomicLongArray(Math.max(task.jobs(), CHAINS_WARM));
    }

    /** What is measured. */
    enum Shape {
        PLAIN,
        CHILDREN,
        NESTED,
        ASLEEP,
        OPEN
    }

    Sample measure() throws Exception {
        Shape shape = Shape.valueOf(task.param("shape", Shape.CHILDREN.name()));
        try (Flow flow = flow()) {
            flow.start();
            return switch (shape) {
                case PLAIN, CHILDREN, NESTED -> throughput(flow, shape);
                case ASLEEP -> asleep(flow);
                case OPEN -> open(flow);
            };
        }
    }

    private Flow flow() {
        return task.peer() == Peer.DBOS
                ? new DbosFlow(database, body, this::joined)
                : new TreadleFlow(database, body, this::joined);
    }

    private void joined(int number) {
        joined.set(number, System.nanoTime());
    }

    /** From the call that enqueues until the storage says that nothing is left. */
    private Sample throughput(Flow flow, Shape shape) throws Exception {
        run(flow, shape, Math.max(20, task.jobs() / 5));
        database.checkpoint();
        database.settle();
        long before = flow.finished();
        RunLog log = new RunLog(leaves(shape, task.jobs()));
        body.noteIn(log);
        Meter meter = Meter.begin(database, task.postmaster());
        long began = System.nanoTime();
        start(flow, shape, task.jobs());
        log.await(DrainRun.PATIENCE);
        awaitDrained(flow);
        double seconds = (System.nanoTime() - began) / (double) SECOND;
        Sample cost = meter.perJob(log.jobs());
        log.verify();
        long ended = flow.finished() - before;
        long expected = log.jobs() + parents(shape, task.jobs());
        if (ended != expected) {
            throw new IllegalStateException(
                    "The storage says that " + ended + " jobs ended well, and there were " + expected + ".");
        }
        return cost.with(Measure.JOBS_PER_SECOND, log.jobs() / seconds);
    }

    private void run(Flow flow, Shape shape, int jobs) throws Exception {
        RunLog log = new RunLog(leaves(shape, jobs));
        body.noteIn(log);
        start(flow, shape, jobs);
        log.await(DrainRun.PATIENCE);
        awaitDrained(flow);
    }

    private static void start(Flow flow, Shape shape, int jobs) throws Exception {
        switch (shape) {
            case PLAIN -> flow.plain(jobs);
            case CHILDREN -> flow.tree(jobs);
            default -> flow.tree(width(jobs), width(jobs));
        }
    }

    /** As many jobs spawn as each of them spawns. */
    private static int width(int jobs) {
        return (int) Math.sqrt(jobs);
    }

    private static int leaves(Shape shape, int jobs) {
        return shape == Shape.NESTED ? width(jobs) * width(jobs) : jobs;
    }

    private static int parents(Shape shape, int jobs) {
        return shape == Shape.PLAIN ? 0 : shape == Shape.NESTED ? 1 + width(jobs) : 1;
    }

    private static void awaitDrained(Flow flow) throws InterruptedException {
        long until = System.nanoTime() + DrainRun.PATIENCE.toNanos();
        while (!flow.isDrained()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("All jobs have run, and the storage still says that some have not.");
            }
            Thread.sleep(2);
        }
    }

    /** What jobs that wait cost while nothing happens; with none of them it is what a server costs. */
    private Sample asleep(Flow flow) throws Exception {
        int sleepers = task.number("asleep", task.jobs());
        double bytes = database.number("pg_database_size(current_database())");
        flow.sleepers(sleepers);
        long until = System.nanoTime() + DrainRun.PATIENCE.toNanos();
        // each of them, and the child that it waits for
        while (flow.asleep() < 2L * sleepers) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("Only " + flow.asleep() + " jobs wait.");
            }
            Thread.sleep(50);
        }
        awaitDrained(flow);
        database.settle();
        bytes = database.number("pg_database_size(current_database())") - bytes;
        // what was to be done behind them is done
        LockSupport.parkNanos(5 * SECOND);
        Sample idle = idle();
        for (int number = 0; number < Math.min(WOKEN, sleepers); number++) {
            flow.wake(number);
        }
        return sleepers == 0 ? idle : idle.with(Measure.DATABASE_BYTES, bytes / sleepers);
    }

    private Sample idle() {
        double statements = Meter.statements(database);
        double databaseMicros = ProcessTimes.microsWithChildren(task.postmaster());
        List<Long> own = List.of(ProcessHandle.current().pid());
        double micros = ProcessTimes.micros(own);
        long began = System.nanoTime();
        LockSupport.parkNanos(task.number("idle", 20) * SECOND);
        double passed = (System.nanoTime() - began) / (double) SECOND;
        Sample idle = Sample.of(
                        Measure.THREADS, ManagementFactory.getThreadMXBean().getThreadCount())
                .with(Measure.IDLE_WORKER_CPU, (ProcessTimes.micros(own) - micros) / 1_000 / passed)
                .with(
                        Measure.IDLE_DATABASE_CPU,
                        (ProcessTimes.microsWithChildren(task.postmaster()) - databaseMicros) / 1_000 / passed);
        return statements < 0
                ? idle
                : idle.with(Measure.IDLE_STATEMENTS, (Meter.statements(database) - statements) / passed);
    }

    /** From the end of the code of a child until the code of its parent goes on. */
    private Sample open(Flow flow) throws Exception {
        chains(flow, Math.min(CHAINS_WARM, task.jobs()));
        Meter meter = Meter.begin(database, task.postmaster());
        double[] millis = chains(flow, task.jobs());
        return meter.perJob(2 * task.jobs())
                .with(Measure.P50_MILLIS, Stats.percentile(50, millis))
                .with(Measure.P99_MILLIS, Stats.percentile(99, millis))
                .with(Measure.MAX_MILLIS, Stats.max(millis));
    }

    private double[] chains(Flow flow, int count) throws Exception {
        EndLog log = new EndLog(count);
        body.noteIn(log);
        for (int number = 0; number < count; number++) {
            flow.chain(number);
        }
        log.verify();
        double[] millis = new double[count];
        for (int number = 0; number < count; number++) {
            millis[number] = (joined.get(number) - log.ends.get(number)) / 1e6;
        }
        return millis;
    }

    /** Says when each job ended, too. */
    private static final class EndLog extends RunLog {
        private final AtomicLongArray ends;

        EndLog(int jobs) {
            super(jobs);
            this.ends = new AtomicLongArray(jobs);
        }

        @Override
        void ended(Work work) {
            ends.set(work.number(), System.nanoTime());
            super.ended(work);
        }
    }
}
