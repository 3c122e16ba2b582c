package dev.treadle.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for what jobs want to be done when they are told to end; none are there while no job is. */
final class StopThreads implements Executor, AutoCloseable {
    /** Most such things done at once, in threads: the others wait. */
    static final int STOP_THREADS_MAX = 16;

    private static final long IDLE_SECONDS = 5;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            STOP_THREADS_MAX, STOP_THREADS_MAX, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "treadle-on-stop");
                thread.setDaemon(true);
                return thread;
            });

    StopThreads() {
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
