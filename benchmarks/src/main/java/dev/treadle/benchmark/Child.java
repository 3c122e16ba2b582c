package dev.treadle.benchmark;

/** The process in which one contender is measured once. Its one line on standard output is the result. */
final class Child {
    private Child() {}

    /** @param arguments a {@link Task} */
    public static void main(String[] arguments) throws Exception {
        Task task = Task.parse(arguments);
        if (task.kind() == Task.Kind.WORKER) {
            work(task);
        } else if (task.kind() == Task.Kind.LOOM) {
            System.out.println(new LoomRun(task).measure().line());
        } else {
            System.out.println(measure(task).line());
        }
        // why: a peer's threads that were not meant to outlive it must not keep the next one waiting
        System.exit(0);
    }

    private static void work(Task task) throws Exception {
        JobBody body = new JobBody();
        try (Database database = new Database(task.url());
                Contender contender = Contenders.of(task.peer(), database, body)) {
            new WorkerLoop(task, contender, body).run();
        }
    }

    static Sample measure(Task task) throws Exception {
        JobBody body = new JobBody();
        try (Database database = new Database(task.url());
                Contender contender = Contenders.of(task.peer(), database, body)) {
            return switch (task.kind()) {
                case DRAIN -> new DrainRun(task, database, contender, body).measure();
                case FILL -> new FillRun(task, database, contender, body).fill();
                case ENQUEUE -> new EnqueueRun(task, database, contender).measure();
                case LATENCY -> new LatencyRun(task, database, contender, body).measure();
                case NODES -> new NodesRun(task, database, contender).measure();
                case WORKER, LOOM -> throw new IllegalArgumentException(task.kind() + " needs no contender.");
            };
        }
    }
}
