package dev.treadle.executor.virtual;

import dev.treadle.executor.JobRunrExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Starts one virtual thread per task, named {@code treadle-virtual-1} and so on. There is nothing to pool, so it has no
 * size: the server alone bounds how many jobs run. Virtual threads are daemons and do not keep a JVM from ending. They have
 * the context class loader of the thread that started the executor, and nothing of the threads that hand over tasks.
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

    /** @param context the context class loader of the threads */
    private record State(Life life, @Nullable ClassLoader context) {}

    // why nothing is inherited: a thread that enqueues may hand its job over at once, and it may serve a request
    private final ThreadFactory threads = Thread.ofVirtual()
            .name("treadle-virtual-", 1)
            .inheritInheritableThreadLocals(false)
            .factory();
    private final State notStarted = new State(Life.NEW, null);
    private final AtomicReference<State> state = new AtomicReference<>(notStarted);

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
        State started = new State(Life.STARTED, Thread.currentThread().getContextClassLoader());
        State before = state.compareAndExchange(notStarted, started);
        if (before != notStarted) {
            throw new IllegalStateException(
                    "This executor was " + (before.life() == Life.STOPPED ? "stopped" : "started")
                            + " before, and an instance starts once: make a new one for each server.");
        }
    }

    @Override
    public void execute(Runnable task) {
        State now = state.get();
        if (now.life() != Life.STARTED) {
            throw new RejectedExecutionException("The executor '" + NAME + "' is "
                    + (now.life() == Life.NEW ? "not started yet" : "stopped") + ", so it takes no task.");
        }
        Thread thread = threads.newThread(task);
        thread.setContextClassLoader(now.context());
        thread.start();
    }

    @Override
    public void stop() {
        state.set(new State(Life.STOPPED, null));
    }
}
