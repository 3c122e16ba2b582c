package dev.treadle.benchmark;

/** The process in which one contender is measured once. Its one line on standard output is the result. */
final class Child {
    private Child() {}

    /** @param arguments a {@link Task} */
    public static void main(String[] arguments) {
        int code = 1;
        endWithParent();
        try {
            run(Task.parse(arguments));
            code = 0;
        } catch (Exception e) {
            e.printStackTrace();
        } finally {
            // why: threads of a peer that outlive it must not delay the caller that waits for this process
            System.exit(code);
        }
    }

    /** So that nothing goes on measuring for nobody, however the parent ended. */
    private static void endWithParent() {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    }

    private static void run(Task task) throws Exception {
        switch (task.kind()) {
            case WORKER -> work(task);
            case LIGHT_NODES -> lightNodes(task);
            case LOOM -> System.out.println(new LoomRun(task).measure().line());
            case DRAIN, FILL, ENQUEUE, LATENCY, PERMIT, NODES, CLUSTER, START, COLD, JDBC, FLOW ->
                System.out.println(measure(task).line());
        }
    }

    private static void work(Task task) throws Exception {
        JobBody body = new JobBody();
        try (Database database = new Database(task.url());
                Contender contender = Contenders.of(task.peer(), database, body)) {
            new WorkerLoop(task, contender, body).run();
        }
    }

    private static void lightNodes(Task task) throws Exception {
        try (Database database = new Database(task.url())) {
            new LightNodes(task, database).run();
        }
    }

    static Sample measure(Task task) throws Exception {
        if (task.kind() == Task.Kind.FLOW) {
            try (Database database = new Database(task.url())) {
                return new FlowRun(task, database).measure();
            }
        }
        JobBody body = new JobBody();
        try (Database database = new Database(task.url());
                Contender contender = Contenders.of(task.peer(), database, body)) {
            return switch (task.kind()) {
                case DRAIN -> new DrainRun(task, database, contender, body).measure();
                case FILL -> new FillRun(task, database, contender, body).fill();
                case ENQUEUE -> new EnqueueRun(task, database, contender).measure();
                case LATENCY -> new LatencyRun(task, database, contender, body).measure();
                case PERMIT -> new PermitRun(task, database, contender, body).measure();
                case NODES -> new NodesRun(task, database, contender).measure();
                case CLUSTER -> new ClusterRun(task, database, contender).measure();
                case START -> new StartRun(task, database, contender).measure();
                case COLD -> new ColdRun(task).measure();
                case JDBC -> new JdbcRun(task, database).measure();
                case WORKER, LIGHT_NODES, LOOM, FLOW ->
                    throw new IllegalArgumentException(task.kind() + " needs no contender.");
            };
        }
    }
}
