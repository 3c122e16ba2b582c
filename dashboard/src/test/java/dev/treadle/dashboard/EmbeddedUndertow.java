package dev.treadle.dashboard;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;

/** An Undertow. */
final class EmbeddedUndertow implements ServletContainer.Running {
    private final DeploymentManager application;
    private final Undertow server;

    EmbeddedUndertow(ServletContainer.Application served) {
        String context = served.context().isEmpty() ? "/" : served.context();
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(EmbeddedUndertow.class.getClassLoader())
                .setContextPath(context)
                .setDeploymentName("jobs")
                .addServlet(Servlets.servlet(
                                "jobs", served.servlet().getClass(), new ImmediateInstanceFactory<>(served.servlet()))
                        .addMapping(served.mapping())
                        .setAsyncSupported(true)
                        .setLoadOnStartup(1))
                .addFilter(Servlets.filter(
                                "security",
                                served.security().getClass(),
                                new ImmediateInstanceFactory<>(served.security()))
                        .setAsyncSupported(served.async()))
                .addFilterUrlMapping("security", "/*", DispatcherType.REQUEST);
        application = Servlets.newContainer().addDeployment(deployment);
        application.deploy();
        try {
            HttpHandler handler = application.start();
            server = Undertow.builder()
                    .addHttpListener(0, "127.0.0.1")
                    .setIoThreads(1)
                    .setWorkerThreads(ServletContainer.THREADS)
                    .setHandler(context.equals("/") ? handler : Handlers.path().addPrefixPath(context, handler))
                    .build();
            server.start();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) server.getListenerInfo().get(0).getAddress()).getPort();
    }

    @Override
    public void stop() {
        if (application.getState() == DeploymentManager.State.STARTED) {
            try {
                application.stop();
                application.undeploy();
            } catch (ServletException e) {
                throw new IllegalStateException(e);
            }
            server.stop();
        }
    }
}
