package dev.treadle.executor;

/** Written to the published interface and nothing else: a thread per task, and a stop that does nothing. */
public class PublishedThreadPerTaskExecutor implements JobRunrExecutor {
    @Override
    public Integer getPriority() {
        return 5;
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}

    @Override
    public void execute(Runnable task) {
        new Thread(task).start();
    }
}
