package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Guard;
import dev.treadle.dashboard.guard.RefusalLog;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.web.Handler;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import dev.treadle.dashboard.web.Response;
import dev.treadle.storage.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything between a request and its answer: the guard, the route, the headers, and the text of failures. */
public final class Site implements Handler {
    /** What every answer brings. Nothing is loaded from elsewhere, nothing is inline, no other page may frame it. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin");

    private static final Logger LOG = LoggerFactory.getLogger(Site.class);

    private final Guard guard;
    private final List<Route> routes;
    private final Json json;
    private final RefusalLog refusals;
    private final Function<Request, Response> nothingHere;

    /**
     * A site of these routes.
     *
     * @param nothingHere what browsers are shown where no route leads
     */
    public Site(
            Guard guard, List<Route> routes, Json json, RefusalLog refusals, Function<Request, Response> nothingHere) {
        this.nothingHere = nothingHere;
        this.guard = guard;
        this.refusals = refusals;
        this.routes = List.copyOf(routes);
        this.json = json;
    }

    /** All routes. */
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Response answer(Request request) {
        Response response;
        try {
            response = routed(request);
        } catch (Problem e) {
            response = e.response(json);
            String challenge = guard.challenge();
            if (response.status() == 401 && challenge != null) {
                response = response.with("WWW-Authenticate", challenge);
            }
        } catch (IllegalArgumentException e) {
            response = Problem.bad(String.valueOf(e.getMessage())).response(json);
        } catch (StorageException e) {
            LOG.warn("The storage did not answer the dashboard.", e);
            response = new Problem(
                            503,
                            "storage-away",
                            "The database does not answer",
                            "The database did not answer.",
                            "It is asked again with the next request. The log says more.")
                    .response(json);
        } catch (RuntimeException e) {
            response = failed(request, e);
        }
        for (Map.Entry<String, String> header : HEADERS.entrySet()) {
            response = response.with(header.getKey(), header.getValue());
        }
        return response.headers().containsKey("Cache-Control") ? response : response.with("Cache-Control", "no-store");
    }

    private Response failed(Request request, RuntimeException e) {
        String id = UUID.randomUUID().toString();
        LOG.error("The dashboard failed at {} {} ({}).", request.method(), printable(request.path()), id, e);
        return new Problem(
                        500,
                        "internal",
                        "Something went wrong",
                        "The dashboard failed. The log of the server has it under " + id + ".",
                        null)
                .response(json);
    }

    private static boolean asksForAPage(Request request) {
        return request.isRead()
                && !request.path().startsWith("/api/")
                && request.list("Accept").stream().anyMatch(type -> type.startsWith("text/html"));
    }

    private static String printable(String path) {
        return path.replaceAll("[^\\x21-\\x7e]", "?");
    }

    private Response routed(Request request) {
        User user = guard.admit(request);
        if (request.query().values().stream().anyMatch(value -> value.indexOf('\0') >= 0)) {
            throw Problem.bad("A parameter has the character 0, which no database keeps. Leave it out.");
        }
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        boolean pathExists = false;
        for (Route route : routes) {
            Optional<Map<String, String>> parameters = route.parameters(request.path());
            if (parameters.isPresent()) {
                pathExists = true;
                if (route.method().equals(method)) {
                    if (!user.role().may(route.role())) {
                        refusals.refused(
                                "The dashboard refused {} {} to {}: it takes the role {}, and theirs is {}.",
                                method,
                                RefusalLog.printable(request.path()),
                                RefusalLog.printable(user.name()),
                                route.role(),
                                user.role());
                        throw Problem.forbidden(
                                "role",
                                "Your role is " + user.role() + ", and this takes " + route.role() + ".",
                                "Ask somebody who has that role.");
                    }
                    return route.action().answer(new Call(request, user, parameters.get()));
                }
            }
        }
        if (pathExists) {
            throw new Problem(405, "method", "Not this way", "There is no " + method + " here.", null);
        }
        if (asksForAPage(request)) {
            return nothingHere.apply(request);
        }
        throw Problem.notFound("There is nothing here.");
    }
}
