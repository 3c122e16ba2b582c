package dev.treadle.spring;

import dev.treadle.Treadle;
import dev.treadle.server.JobServer;
import dev.treadle.server.ServerState;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** Starts the server after everything else in the application, and makes it stop claiming jobs before everything else. */
final class ClaimingLifecycle implements SmartLifecycle {
    private final Treadle treadle;
    private final ConfigurableListableBeanFactory beans;

    ClaimingLifecycle(Treadle treadle, ConfigurableListableBeanFactory beans) {
        this.treadle = treadle;
        this.beans = beans;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE;
    }

    /** Executors are found, and threads made, where the application's classes are: a restart may come on any thread. */
    @Override
    public void start() {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(beans.getBeanClassLoader());
        try {
            new RecurringBeans(beans, treadle.jobs().recurring()).declare();
            treadle.startServer();
        } finally {
            current.setContextClassLoader(before);
        }
    }

    @Override
    public void stop() {
        treadle.server().ifPresent(JobServer::stopClaiming);
    }

    @Override
    public void stop(Runnable callback) {
        StopThread.run("treadle-stop-claiming", this::stop, callback);
    }

    @Override
    public boolean isRunning() {
        return treadle.server()
                .filter(server -> server.state() == ServerState.RUNNING)
                .isPresent();
    }
}
