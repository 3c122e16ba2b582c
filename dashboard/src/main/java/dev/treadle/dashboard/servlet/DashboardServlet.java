package dev.treadle.dashboard.servlet;

import dev.treadle.dashboard.Dashboard;
import dev.treadle.dashboard.guard.Authenticator;
import dev.treadle.dashboard.guard.Guard;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.servlet.ServletAuthenticator.WriteHeader;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import dev.treadle.dashboard.web.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard as a servlet, at any path of any application:
 *
 * <pre>{@code
 * var jobs = DashboardServlet.of(
 *         Dashboard.of(treadle), ServletAuthenticator.roles(Map.of("ops", Role.OPERATOR, "staff", Role.VIEWER)));
 * var registration = servletContext.addServlet("jobs", jobs);
 * registration.addMapping("/jobs/*");
 * registration.setAsyncSupported(true);
 * registration.setLoadOnStartup(1);
 * }</pre>
 *
 * <p>It begins to look at the jobs when the container initializes it, and ends when the container destroys it. Map it to
 * a path that ends with {@code /*}. Thread-safe.
 */
public final class DashboardServlet extends HttpServlet {
    /** The header that says which other header the page has to send with its writes, as {@code name: value}. */
    static final String WRITE_HEADER_HEADER = "X-Treadle-Write-Header";

    private static final String ME_PATH = "/api/v1/me";
    private static final long serialVersionUID = 1L;

    private final transient Dashboard.Builder builder;
    private final transient ServletAuthenticator authenticator;
    private final transient Json json = new Json();
    private final transient LiveStreams streams = new LiveStreams();
    private transient volatile @Nullable Dashboard dashboard;

    private DashboardServlet(Dashboard.Builder builder, ServletAuthenticator authenticator) {
        this.builder = builder.authenticator(new SaidByServer());
        this.authenticator = authenticator;
    }

    /**
     * A dashboard whose users are the application's. It answers under any host name: a browser sends what identifies its
     * user to the application's own host name alone.
     *
     * @param builder       its host, port, base path, proxies and users are not used
     * @param authenticator who asks; users whom it does not know are refused
     */
    public static DashboardServlet of(Dashboard.Builder builder, ServletAuthenticator authenticator) {
        return new DashboardServlet(builder.allowHost(Guard.ANY_HOST), authenticator);
    }

    /**
     * A dashboard that asks nobody who they are, for applications that cannot be reached by strangers. It answers under
     * the names of loopback and those of {@link Dashboard.Builder#allowHost}, so that no other site's page can reach it
     * through a name of its own.
     *
     * @param role what everybody may do
     */
    public static DashboardServlet open(Dashboard.Builder builder, Role role) {
        User anybody = new User("anybody", role);
        return new DashboardServlet(builder, request -> Optional.of(anybody));
    }

    /**
     * @throws IllegalStateException if the dashboard also has users of its own
     */
    @Override
    public void init() {
        dashboard = builder.mount();
        streams.open();
    }

    @Override
    public void destroy() {
        streams.close();
        Dashboard started = dashboard;
        if (started != null) {
            started.close();
        }
    }

    /**
     * Ends the live streams; pages poll from now on. For a shutdown that waits for open requests, because a live stream
     * is one that never ends by itself.
     */
    public void endStreams() {
        streams.close();
    }

    /** Allows live streams again. */
    public void allowStreams() {
        streams.open();
    }

    @Override
    protected void service(HttpServletRequest came, HttpServletResponse back) throws IOException {
        ServletRequests.Place place = ServletRequests.place(came);
        if (place == null) {
            send(came, back, Problem.notFound("There is nothing here.").response(json));
            return;
        }
        byte[] body = ServletRequests.body(came);
        if (body == null) {
            send(came, back, tooLong().response(json));
            return;
        }
        Principal principal =
                authenticator.user(came).map(Principal.class::cast).orElseGet(came::getUserPrincipal);
        Request request = ServletRequests.request(came, place, principal, body);
        Response response = Objects.requireNonNull(dashboard, "The container has not initialized the servlet.")
                .handler()
                .answer(request);
        if (response.status() == 200 && request.path().equals(ME_PATH)) {
            response = withWriteHeader(came, response);
        }
        send(came, back, response);
    }

    private Response withWriteHeader(HttpServletRequest came, Response response) {
        WriteHeader header = authenticator.writeHeader(came);
        return header == null ? response : response.with(WRITE_HEADER_HEADER, header.name() + ": " + header.value());
    }

    private static Problem tooLong() {
        return new Problem(
                413,
                "not-read",
                "The request was not read",
                "The body of a request may have " + Request.BODY_BYTES_MAX + " bytes.",
                null);
    }

    private void send(HttpServletRequest came, HttpServletResponse back, Response response) throws IOException {
        boolean isHead = came.getMethod().equals("HEAD");
        Response.Stream stream = isHead ? null : response.stream();
        if (stream != null && !(streams.areOpen() && came.isAsyncSupported())) {
            send(came, back, noStream(came).response(json));
            return;
        }
        back.setStatus(response.status());
        response.headersToSend().forEach(back::setHeader);
        if (stream != null) {
            // why flushed here: filters add their headers when the head goes out, and may do so on this thread alone
            back.flushBuffer();
            AsyncContext async = came.startAsync(came, back);
            async.setTimeout(0);
            streams.run(stream, async);
        } else if (response.stream() == null && response.status() != 204) {
            back.setContentLength(response.body().length);
            if (!isHead) {
                back.getOutputStream().write(response.body());
            }
        }
    }

    private static Problem noStream(HttpServletRequest came) {
        return new Problem(
                503,
                "no-stream",
                "No live stream",
                came.isAsyncSupported()
                        ? "The application is shutting down."
                        : "The servlet, or a filter before it, does not support asynchronous requests.",
                came.isAsyncSupported()
                        ? null
                        : "Call setAsyncSupported(true) on its registration. Until then the page polls.");
    }

    /** Takes the user that {@link ServletAuthenticator} said. */
    private static final class SaidByServer implements Authenticator {
        @Override
        public Optional<User> user(Request request) {
            if (request.principal() instanceof User user) {
                return Optional.of(user);
            }
            if (request.principal() != null) {
                throw Problem.forbidden(
                        "no-role",
                        "You are signed in as " + request.principal().getName()
                                + ", who has no role in this dashboard.",
                        "Ask for one of the authorities that the application maps to VIEWER, OPERATOR or ADMIN.");
            }
            return Optional.empty();
        }

        @Override
        public @Nullable String challenge() {
            return null;
        }
    }
}
