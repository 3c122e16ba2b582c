package dev.treadle.benchmark;

import java.util.ArrayList;
import java.util.List;

/** A drain by several server processes on one database. */
final class NodesRun {
    private static final int LOOK_EVERY_MILLIS = 10;

    private final Task task;
    private final Database database;
    private final Contender contender;

    NodesRun(Task task, Database database, Contender contender) {
        this.task = task;
        this.database = database;
        this.contender = contender;
    }

    Sample measure() throws Exception {
        contender.prepare();
        List<ChildJvm> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < task.number("nodes", 1); i++) {
                nodes.add(new ChildJvm(task.as(Task.Kind.WORKER)));
            }
            long before = contender.finished().orElse(0);
            int warm = Math.max(100, task.jobs() / 5);
            drain(nodes, warm);
            tell(nodes, "stop");
            database.checkpoint();
            contender.enqueueBulk(DrainRun.work(task.jobs(), 0));
            database.settle();
            List<Long> pids = nodes.stream().map(ChildJvm::pid).toList();
            Meter meter = Meter.begin(database, task.postmaster(), pids);
            tell(nodes, "note " + task.jobs());
            tell(nodes, "start");
            awaitRuns(nodes);
            DrainRun.awaitDrained(contender);
            long ended = System.nanoTime();
            Sample cost = meter.perJob(task.jobs());
            long runs = 0;
            long from = ended;
            for (ChildJvm node : nodes) {
                WorkerLoop.Report report = WorkerLoop.Report.parse(node.ask("report"));
                runs += report.total();
                from = report.total() == 0 ? from : Math.min(from, report.firstAt());
            }
            if (runs != task.jobs()) {
                throw new IllegalStateException(runs + " runs of " + task.jobs() + " jobs.");
            }
            DrainRun.verify(contender, before + warm + task.jobs());
            return cost.with(Measure.JOBS_PER_SECOND, task.jobs() / ((ended - from) / 1e9));
        } finally {
            nodes.forEach(ChildJvm::close);
        }
    }

    private void drain(List<ChildJvm> nodes, int jobs) throws Exception {
        contender.enqueueBulk(DrainRun.work(jobs, 0));
        tell(nodes, "note " + jobs);
        tell(nodes, "start");
        DrainRun.awaitDrained(contender);
    }

    /** Why not ask the storage all the time: what that costs differs between contenders. */
    private void awaitRuns(List<ChildJvm> nodes) throws InterruptedException {
        long until = System.nanoTime() + DrainRun.PATIENCE.toNanos();
        while (nodes.stream().mapToLong(NodesRun::runs).sum() < task.jobs()) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException("Not all jobs have run after " + DrainRun.PATIENCE + ".");
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
        }
    }

    private static long runs(ChildJvm node) {
        return Long.parseLong(node.ask("count").split(" ")[1]);
    }

    private static void tell(List<ChildJvm> nodes, String order) {
        nodes.forEach(node -> node.tell(order));
        nodes.forEach(ChildJvm::answer);
    }
}
