package dev.treadle.benchmark;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Workflows as DBOS wants them: an interface that it makes a proxy of. */
public interface DbosWork {
    /** The queue of all of them but the outermost. */
    String QUEUE = "leaves";

    /** Does nothing. */
    int leaf(int number);

    /** Starts leaves, from this number on, and waits for them. */
    int branch(int from, int count);

    /** Starts branches and waits for them. */
    int root(int branches, int each);

    /** Starts a leaf, waits for it, and says so. */
    int chain(int number);

    /** Runs it. */
    final class Code implements DbosWork {
        private final DBOS dbos;
        private final Consumer<Work> body;
        private final IntConsumer joined;
        private DbosWork proxy;

        @SuppressWarnings("NullAway.Init") // the proxy is made of this
        Code(DBOS dbos, Consumer<Work> body, IntConsumer joined) {
            this.dbos = dbos;
            this.body = body;
            this.joined = joined;
        }

        void callBy(DbosWork proxy) {
            this.proxy = proxy;
        }

        private StartWorkflowOptions queued() {
            return new StartWorkflowOptions().withQueue(QUEUE);
        }

        @Override
        @Workflow(name = "leaf")
        public int leaf(int number) {
            body.accept(Work.nothing(number));
            return number;
        }

        @Override
        @Workflow(name = "branch")
        public int branch(int from, int count) {
            List<WorkflowHandle<Integer, RuntimeException>> leaves = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = from + i;
                leaves.add(dbos.startWorkflow(() -> proxy.leaf(number), queued()));
            }
            return sum(leaves);
        }

        @Override
        @Workflow(name = "root")
        public int root(int branches, int each) {
            List<WorkflowHandle<Integer, RuntimeException>> all = new ArrayList<>();
            for (int i = 0; i < branches; i++) {
                int from = i * each;
                // not queued: it would wait for leaves that wait behind it in the queue
                all.add(dbos.startWorkflow(() -> proxy.branch(from, each)));
            }
            return sum(all);
        }

        @Override
        @Workflow(name = "chain")
        public int chain(int number) {
            dbos.startWorkflow(() -> proxy.leaf(number)).getResult();
            joined.accept(number);
            return number;
        }

        private static int sum(List<WorkflowHandle<Integer, RuntimeException>> handles) {
            int sum = 0;
            for (WorkflowHandle<Integer, RuntimeException> handle : handles) {
                sum += handle.getResult();
            }
            return sum;
        }
    }
}
