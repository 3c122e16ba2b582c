package dev.treadle.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Holds a node's tasks until the simulation lends them its thread, in any order. */
final class SimExecutor implements Executor {
    private final Cluster cluster;
    private final SimNode node;
    private final List<Runnable> tasks = new ArrayList<>();

    SimExecutor(Cluster cluster, SimNode node) {
        this.cluster = cluster;
        this.node = node;
    }

    @Override
    public void execute(Runnable task) {
        if (cluster.dice().chance(cluster.faults().refuses())) {
            cluster.notes().say(node.name(), "refuses", "a task");
            cluster.notes().reached(Sometimes.EXECUTOR_REFUSED);
            throw new Refused();
        }
        tasks.add(task);
    }

    boolean hasTask() {
        return !tasks.isEmpty();
    }

    void runOne() {
        Runnable task = tasks.remove(cluster.dice().below(tasks.size()));
        try {
            task.run();
        } catch (SimulatedCrash | Violation e) {
            // the cluster looks at violations after each step
        } catch (Throwable e) {
            throw cluster.notes()
                    .broken(Invariant.EVERY_RUN_HAS_AN_OUTCOME, "a task on " + node.name() + " threw " + e.getClass());
        }
    }

    private static final class Refused extends RejectedExecutionException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
