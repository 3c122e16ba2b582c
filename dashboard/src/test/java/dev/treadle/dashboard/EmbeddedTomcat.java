package dev.treadle.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A Tomcat. */
final class EmbeddedTomcat implements ServletContainer.Running {
    private final Tomcat tomcat = new Tomcat();

    EmbeddedTomcat(ServletContainer.Application served) {
        try {
            tomcat.setBaseDir(Files.createTempDirectory("treadle-tomcat").toString());
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            tomcat.getConnector().setProperty("maxThreads", Integer.toString(ServletContainer.THREADS));
            Context application = tomcat.addContext(served.context(), null);
            FilterDef filter = new FilterDef();
            filter.setFilterName("security");
            filter.setFilter(served.security());
            filter.setAsyncSupported(Boolean.toString(served.async()));
            application.addFilterDef(filter);
            FilterMap all = new FilterMap();
            all.setFilterName("security");
            all.addURLPattern("/*");
            application.addFilterMap(all);
            Wrapper wrapper = Tomcat.addServlet(application, "jobs", served.servlet());
            wrapper.setAsyncSupported(true);
            wrapper.setLoadOnStartup(1);
            application.addServletMappingDecoded(served.mapping(), "jobs");
            tomcat.start();
        } catch (IOException | LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void stop() {
        try {
            if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
                tomcat.stop();
                tomcat.destroy();
            }
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }
}
