package dev.treadle.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for the actions that jobs gave to {@code onStop}. There are none while no job is told to stop. */
final class StopThreads implements Executor, AutoCloseable {
    /** How many actions run at once at most; the others wait. */
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
