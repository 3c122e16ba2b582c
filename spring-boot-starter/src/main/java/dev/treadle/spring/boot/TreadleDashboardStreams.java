package dev.treadle.spring.boot;

import dev.treadle.dashboard.servlet.DashboardServlet;
import org.springframework.context.SmartLifecycle;

/**
 * Ends the dashboard's live streams before the web server waits for open requests, because a live stream never ends by
 * itself: a shutdown would take as long as the application lets it.
 */
final class TreadleDashboardStreams implements SmartLifecycle {
    private final DashboardServlet servlet;
    private volatile boolean running;

    TreadleDashboardStreams(DashboardServlet servlet) {
        this.servlet = servlet;
    }

    @Override
    public void start() {
        servlet.allowStreams();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        servlet.endStreams();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
