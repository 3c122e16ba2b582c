package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Many light nodes in a few processes on one database: what they ask and hold while there is nothing to do, how many
 * claims a trickle of jobs costs, and how fast they drain together.
 */
final class ClusterRun {
    static final String APPLICATION = "light-node";

    private static final int PROCESSES_MAX = 4;
    /** What a node keeps while it is idle, and what {@link #awaitQuiet} waits for. */
    private static final int CONNECTIONS_IDLE = 3;

    private static final long QUIET_WITHIN_NANOS = 90_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    /** The trickle: a job so often, in nanoseconds. */
    private static final long GAP_NANOS = 5_000_000L;

    private final Task task;
    private final Database database;
    private final Contender contender;
    private final int nodes;

    ClusterRun(Task task, Database database, Contender contender) {
        this.task = task;
        this.database = database;
        this.contender = contender;
        this.nodes = task.number("nodes", 1);
    }

    Sample measure() throws Exception {
        contender.prepare();
        List<ChildJvm> processes = new ArrayList<>();
        try {
            int processCount = Math.min(PROCESSES_MAX, nodes);
            for (int i = 0; i < processCount; i++) {
                int each = (nodes + i) / processCount;
                processes.add(new ChildJvm(
                        task.as(Task.Kind.LIGHT_NODES).with("each", each).with("heap", 512)));
            }
            processes.forEach(ChildJvm::answer);
            awaitQuiet();
            return idle().with(trickle()).with(drain(processes));
        } finally {
            processes.forEach(ChildJvm::close);
        }
    }

    /** Until what the starts have opened is closed again, and each has looked since. */
    private void awaitQuiet() {
        long until = System.nanoTime() + QUIET_WITHIN_NANOS;
        while (connections() > (long) CONNECTIONS_IDLE * nodes && System.nanoTime() < until) {
            LockSupport.parkNanos(SECOND);
        }
        LockSupport.parkNanos(5 * SECOND);
    }

    private Sample idle() {
        double statements = Meter.statements(database);
        double micros = ProcessTimes.microsWithChildren(task.postmaster());
        long began = System.nanoTime();
        int seconds = task.number("idle", 20);
        double[] connections = new double[seconds];
        for (int i = 0; i < seconds; i++) {
            LockSupport.parkNanos(SECOND);
            connections[i] = connections();
        }
        double passed = (System.nanoTime() - began) / (double) SECOND;
        Sample sample = Sample.of(Measure.IDLE_CONNECTIONS, Stats.median(connections) / nodes)
                .with(
                        Measure.IDLE_DATABASE_CPU,
                        (ProcessTimes.microsWithChildren(task.postmaster()) - micros) / 1_000 / passed);
        return statements < 0
                ? sample
                : sample.with(Measure.IDLE_STATEMENTS, (Meter.statements(database) - statements) / passed / nodes);
    }

    /** Jobs one by one, faster than a node needs to claim one and slower than all together can run. */
    private Sample trickle() throws Exception {
        long claims = claims();
        long found = claimsThatFound();
        long begin = System.nanoTime();
        int jobs = task.number("trickle", 2_000);
        for (int i = 0; i < jobs; i++) {
            for (long left; (left = begin + i * GAP_NANOS - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(left);
            }
            contender.enqueueOne(Work.nothing(i));
        }
        DrainRun.awaitDrained(contender);
        DrainRun.verify(contender, jobs);
        return claims < 0
                ? new Sample(Map.of())
                : Sample.of(Measure.CLAIMS_PER_BATCH, (claims() - claims) / (double) (claimsThatFound() - found));
    }

    private Sample drain(List<ChildJvm> processes) throws Exception {
        long before = contender.finished().orElse(0);
        Meter meter = Meter.begin(
                database,
                task.postmaster(),
                processes.stream().map(ChildJvm::pid).toList());
        long began = System.nanoTime();
        contender.enqueueBulk(DrainRun.work(task.jobs(), 0));
        DrainRun.awaitDrained(contender);
        double seconds = (System.nanoTime() - began) / (double) SECOND;
        DrainRun.verify(contender, before + task.jobs());
        return meter.perJob(task.jobs()).with(Measure.JOBS_PER_SECOND, task.jobs() / seconds);
    }

    private long connections() {
        return database.number("count(*) from pg_stat_activity where application_name = '" + APPLICATION + "'");
    }

    /** Negative if nobody counts them. */
    private long claims() {
        return Meter.statements(database) < 0
                ? -1
                : database.number("coalesce(sum(calls), 0) from pg_stat_statements s"
                        + " join pg_database d on d.oid = s.dbid and d.datname = current_database()"
                        + " where query like '%delete from treadle_ready where ctid%'"
                        + " and query like '%insert into treadle_lease%' and query like '%skip locked%'");
    }

    /** Each claim gives its jobs a token of its own. */
    private long claimsThatFound() {
        return database.number("count(distinct token) from treadle_history");
    }
}
