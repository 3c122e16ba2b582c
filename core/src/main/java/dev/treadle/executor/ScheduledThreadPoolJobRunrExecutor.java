package dev.treadle.executor;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The default: a fixed pool of platform threads, one per worker, named {@code backgroundjob-worker-pool-1} and so on.
 * Not registered as a service, because it is what discovery falls back to. Its threads are not daemons: a JVM ends after
 * {@link #stop} and the last task.
 */
public final class ScheduledThreadPoolJobRunrExecutor implements JobRunrExecutor {
    /** The name that always means this executor. */
    public static final String NAME = "pool";

    private final ReentrantLock lifecycle = new ReentrantLock();
    private volatile @Nullable ScheduledThreadPoolExecutor pool; // written under lifecycle, once
    private volatile boolean stopped; // written under lifecycle

    /** Not started, and without a thread. */
    public ScheduledThreadPoolJobRunrExecutor() {}

    /** The lowest there is: whatever is registered comes before the fallback. */
    @Override
    public Integer getPriority() {
        return Integer.MIN_VALUE;
    }

    @Override
    public String executorName() {
        return NAME;
    }

    /** Starts {@link #defaultWorkers} threads for the processors this JVM sees. */
    @Override
    public void start() {
        start(new ExecutorSettings(defaultWorkers(Runtime.getRuntime().availableProcessors())));
    }

    /** @throws IllegalStateException if this instance was started or stopped before */
    @Override
    public void start(ExecutorSettings settings) {
        lifecycle.lock();
        try {
            if (pool != null || stopped) {
                throw new IllegalStateException("This executor was " + (stopped ? "stopped" : "started")
                        + " before, and an instance starts once: make a new one for each server.");
            }
            pool = prestarted(settings.workers());
        } finally {
            lifecycle.unlock();
        }
    }

    /** All threads at once: too many for this machine then fails here, not later with a task already in the queue. */
    private static ScheduledThreadPoolExecutor prestarted(int workers) {
        var made = new ScheduledThreadPoolExecutor(workers, namedThreads(), (task, full) -> {
            throw refused("is stopped");
        });
        boolean complete = false;
        try {
            made.prestartAllCoreThreads();
            complete = true;
            return made;
        } finally {
            if (!complete) {
                made.shutdown();
            }
        }
    }

    @Override
    public void execute(Runnable task) {
        ScheduledThreadPoolExecutor started = pool;
        if (started == null) {
            throw refused(stopped ? "is stopped" : "is not started yet");
        }
        Future<?> accepted = started.submit(task);
        // why: a shutdown between its check and its queue makes the JDK's pool cancel the task without a word
        if (accepted.isCancelled()) {
            throw refused("was stopped while it was given the task");
        }
    }

    @Override
    public void stop() {
        lifecycle.lock();
        try {
            stopped = true;
            if (pool != null) {
                pool.shutdown();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    private static RejectedExecutionException refused(String why) {
        return new RejectedExecutionException("The executor '" + NAME + "' " + why + ", so it takes no task.");
    }

    private static ThreadFactory namedThreads() {
        AtomicInteger made = new AtomicInteger();
        return task -> new Thread(task, "backgroundjob-worker-pool-" + made.incrementAndGet());
    }
}
