package dev.treadle.spring;

import dev.treadle.Treadle;
import dev.treadle.server.JobServer;
import org.springframework.context.SmartLifecycle;

/**
 * Waits for running jobs when the application stops: after the web server has answered its last request, which may have
 * enqueued, and before what has no phase is destroyed.
 */
final class RunningJobsLifecycle implements SmartLifecycle {
    /** Spring Boot's web server stops gracefully in the phase 1,024 below the default one, and ends 2,048 below it. */
    static final int PHASE = DEFAULT_PHASE - 3 * 1024;

    private final Treadle treadle;
    private volatile boolean running;

    RunningJobsLifecycle(Treadle treadle) {
        this.treadle = treadle;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        try {
            treadle.server().ifPresent(JobServer::close);
        } finally {
            running = false;
        }
    }

    @Override
    public void stop(Runnable callback) {
        StopThread.run("treadle-await-jobs", this::stop, callback);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
