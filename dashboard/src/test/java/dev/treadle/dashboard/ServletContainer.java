package dev.treadle.dashboard;

import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.servlet.DashboardServlet;
import dev.treadle.dashboard.servlet.ServletAuthenticator;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.security.Principal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A real servlet container with an application whose filter says who asks, as such applications do, and refuses writes
 * without its own token.
 */
final class ServletContainer implements AutoCloseable {
    /** So few that viewers who held one each would leave none. */
    static final int THREADS = 4;

    /** Who asks, as "name:role"; a role of "-" is none, and "" is nobody. A request's X-Test-User comes before it. */
    final AtomicReference<String> who = new AtomicReference<>("");
    /** What every write must bring; "" for nothing. */
    final AtomicReference<String> token = new AtomicReference<>("");
    /** Where those are sent who are nobody; "" for nowhere. */
    final AtomicReference<String> signIn = new AtomicReference<>("");

    final DashboardServlet servlet;
    private final Running running;
    private final String path;

    /** What is to be served where. */
    record Application(DashboardServlet servlet, Filter security, String context, String mapping, boolean async) {}

    /** A container that serves one application. */
    interface Running {
        int port();

        /** As the container does it when the application ends. */
        void stop();
    }

    /** The containers. */
    enum Kind {
        TOMCAT {
            @Override
            Running start(Application application) {
                return new EmbeddedTomcat(application);
            }
        },
        JETTY {
            @Override
            Running start(Application application) {
                return new EmbeddedJetty(application);
            }
        },
        UNDERTOW {
            @Override
            Running start(Application application) {
                return new EmbeddedUndertow(application);
            }
        };

        abstract Running start(Application application);

        /** Whose users are the application's. */
        ServletContainer of(Dashboard.Builder builder, String context, String mapping) {
            ServletContainer[] made = new ServletContainer[1];
            ServletAuthenticator roles =
                    ServletAuthenticator.roles(Map.of("staff", Role.VIEWER, "ops", Role.OPERATOR, "boss", Role.ADMIN));
            ServletAuthenticator authenticator = new ServletAuthenticator() {
                @Override
                public Optional<dev.treadle.dashboard.guard.User> user(HttpServletRequest request) {
                    return roles.user(request);
                }

                @Override
                public @Nullable WriteHeader writeHeader(HttpServletRequest request) {
                    String token = made[0].token.get();
                    return token.isEmpty() ? null : new WriteHeader("X-TEST-TOKEN", token);
                }
            };
            made[0] = of(DashboardServlet.of(builder, authenticator), context, mapping, true);
            return made[0];
        }

        ServletContainer of(DashboardServlet servlet, String context, String mapping, boolean async) {
            return new ServletContainer(this, servlet, context, mapping, async);
        }
    }

    private ServletContainer(Kind kind, DashboardServlet servlet, String context, String mapping, boolean async) {
        this.servlet = servlet;
        this.path = context + mapping.replaceFirst("/\\*?$", "");
        this.running = kind.start(new Application(servlet, new Security(), context, mapping, async));
    }

    /** Where the page is. */
    String url() {
        return "http://127.0.0.1:" + running.port() + path;
    }

    /** Asks below the page's path. */
    Http http() {
        return new Http(URI.create(url()));
    }

    String path() {
        return path;
    }

    /** As the container does it when the application ends. */
    void shutDown() {
        running.stop();
    }

    @Override
    public void close() {
        running.stop();
    }

    /** What Spring Security does, in thirty lines. */
    private final class Security implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest came = (HttpServletRequest) request;
            HttpServletResponse back = (HttpServletResponse) response;
            String said = came.getHeader("X-Test-User") == null ? who.get() : came.getHeader("X-Test-User");
            boolean writes =
                    !came.getMethod().equals("GET") && !came.getMethod().equals("HEAD");
            if (said.isEmpty() && !signIn.get().isEmpty()) {
                back.sendRedirect(signIn.get());
            } else if (writes && !token.get().isEmpty() && !token.get().equals(came.getHeader("X-TEST-TOKEN"))) {
                back.sendError(403);
            } else {
                chain.doFilter(said.isEmpty() ? came : new SignedIn(came, said.split(":")), back);
            }
        }
    }

    private static final class SignedIn extends HttpServletRequestWrapper {
        private final String[] said;

        SignedIn(HttpServletRequest request, String[] said) {
            super(request);
            this.said = said;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> said[0];
        }

        @Override
        public boolean isUserInRole(String role) {
            return said[1].equals(role);
        }
    }
}
