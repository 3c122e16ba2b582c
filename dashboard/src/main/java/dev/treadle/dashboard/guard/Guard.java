package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands before every route: which host was asked for, who asks, and, of everything but reading, whether our own page
 * sent it. What is exempt is an exact list of one.
 */
public final class Guard {
    /** What anybody may ask: whether this process answers at all. */
    public static final String OPEN_PATH = "/health/live";
    /** Every write must bring it; a page of another origin cannot send it without asking first. */
    public static final String WRITE_HEADER = "X-Treadle-Request";

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> hosts;
    private final @Nullable Authenticator authenticator;
    private final User anybody;

    /**
     * @param hosts         names by which the dashboard may be asked for, beside those of loopback, with or without port
     * @param authenticator null if nobody has to say who they are: only on loopback
     * @param anybody       who asks then
     */
    public Guard(Set<String> hosts, @Nullable Authenticator authenticator, User anybody) {
        this.hosts = Set.copyOf(hosts);
        this.authenticator = authenticator;
        this.anybody = anybody;
    }

    /**
     * Lets a request through.
     *
     * @return who asks
     * @throws Problem if it is refused
     */
    public User admit(Request request) {
        checkHost(request);
        User user = request.path().equals(OPEN_PATH) && request.isRead() ? anybody : identify(request);
        if (!request.isRead()) {
            checkWrite(request);
        }
        return user;
    }

    private void checkHost(Request request) {
        String host = request.header("Host");
        if (host == null || !isAllowed(host.toLowerCase(Locale.ROOT))) {
            throw new Problem(
                    421,
                    "host-not-allowed",
                    "Unknown host",
                    "The dashboard does not answer under this host name.",
                    "If it is meant to, allow the name with Dashboard.allowHost(…).");
        }
    }

    private boolean isAllowed(String host) {
        String name = withoutPort(host);
        return LOOPBACK.contains(name) || hosts.contains(name) || hosts.contains(host);
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    private User identify(Request request) {
        if (authenticator == null) {
            return anybody;
        }
        return authenticator
                .user(request)
                .orElseThrow(() -> new Problem(
                        401, "not-signed-in", "Who are you?", "This dashboard wants a name and a password.", null));
    }

    /** What the header {@code WWW-Authenticate} says; null if nobody has to say who they are. */
    public @Nullable String challenge() {
        return authenticator == null ? null : authenticator.challenge();
    }

    private static void checkWrite(Request request) {
        if (!"1".equals(request.header(WRITE_HEADER))) {
            throw Problem.forbidden(
                    "header-missing",
                    "A request that changes something must bring the header " + WRITE_HEADER + ".",
                    "Send '" + WRITE_HEADER + ": 1'.");
        }
        if (request.has("Sec-Fetch-Site") && !"same-origin".equals(request.header("Sec-Fetch-Site"))) {
            throw otherSite();
        }
        if (request.has("Origin") && !isOwn(request.header("Origin"), request.header("Host"))) {
            throw otherSite();
        }
        String type = request.header("Content-Type");
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw Problem.forbidden(
                    "not-json",
                    "A request that changes something must be JSON.",
                    "Send 'Content-Type: application/json'.");
        }
    }

    private static boolean isOwn(@Nullable String origin, @Nullable String host) {
        try {
            return origin != null
                    && host != null
                    && host.equalsIgnoreCase(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Problem otherSite() {
        return Problem.forbidden(
                "other-site",
                "The request came from another site's page.",
                "Use the dashboard's own page, or a program.");
    }
}
