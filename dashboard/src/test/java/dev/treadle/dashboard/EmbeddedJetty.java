package dev.treadle.dashboard;

import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A Jetty. */
final class EmbeddedJetty implements ServletContainer.Running {
    /** Threads that it keeps for itself: one accepts, one selects, and one waits to select next. */
    private static final int OWN_THREADS = 3;

    private final Server server;
    private final ServerConnector connector;

    EmbeddedJetty(ServletContainer.Application served) {
        QueuedThreadPool threads = new QueuedThreadPool(ServletContainer.THREADS + OWN_THREADS);
        server = new Server(threads);
        connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setPort(0);
        server.addConnector(connector);
        ServletContextHandler application = new ServletContextHandler();
        application.setContextPath(served.context().isEmpty() ? "/" : served.context());
        FilterHolder filter = new FilterHolder(served.security());
        filter.setAsyncSupported(served.async());
        application.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
        ServletHolder holder = new ServletHolder("jobs", served.servlet());
        holder.setAsyncSupported(true);
        holder.setInitOrder(1);
        application.addServlet(holder, served.mapping());
        server.setHandler(application);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void stop() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
