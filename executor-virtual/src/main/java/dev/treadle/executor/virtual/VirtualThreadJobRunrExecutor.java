package dev.treadle.executor.virtual;

import dev.treadle.executor.JobRunrExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts one virtual thread per task, named {@code treadle-virtual-1} and so on. There is nothing to pool, so it has no
 * size: the server alone bounds how many jobs run. Virtual threads are daemons and do not keep a JVM from ending.
 */
public final class VirtualThreadJobRunrExecutor implements JobRunrExecutor {
    /** What {@code executor=virtual} means. */
    public static final String NAME = "virtual";

    /** How many jobs run at once unless that was set: waiting is what they are for, and waiting is cheap here. */
    public static final int DEFAULT_WORKERS = 1_000;

    private enum Life {
        NEW,
        STARTED,
        STOPPED
    }

    private final ThreadFactory threads =
            Thread.ofVirtual().name("treadle-virtual-", 1).factory();
    private final AtomicReference<Life> life = new AtomicReference<>(Life.NEW);

    /** Not started, and without a thread. */
    public VirtualThreadJobRunrExecutor() {}

    /** As published: 5. */
    @Override
    public Integer getPriority() {
        return 5;
    }

    @Override
    public String executorName() {
        return NAME;
    }

    @Override
    public int defaultWorkers(int cores) {
        return DEFAULT_WORKERS;
    }

    @Override
    public boolean lendsBeyondWorkers() {
        return true;
    }

    /** @throws IllegalStateException if this instance was started or stopped before */
    @Override
    public void start() {
        Life before = life.compareAndExchange(Life.NEW, Life.STARTED);
        if (before != Life.NEW) {
            throw new IllegalStateException("This executor was " + (before == Life.STOPPED ? "stopped" : "started")
                    + " before, and an instance starts once: make a new one for each server.");
        }
    }

    @Override
    public void execute(Runnable task) {
        Life now = life.get();
        if (now != Life.STARTED) {
            throw new RejectedExecutionException("The executor '" + NAME + "' is "
                    + (now == Life.NEW ? "not started yet" : "stopped") + ", so it takes no task.");
        }
        threads.newThread(task).start();
    }

    @Override
    public void stop() {
        life.set(Life.STOPPED);
    }
}
