package dev.treadle.dashboard.guard;

import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Request;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands before every route: which host was asked for, who asks, and, of everything but reading, whether our own page
 * sent it. Exempt is an exact list of two paths, which reveal nothing else.
 */
public final class Guard {
    /** What every client may ask, under any name: whether this process answers at all. */
    public static final String LIVE_PATH = "/health/live";
    /** The same: whether it can do its work. */
    public static final String READY_PATH = "/health/ready";
    /** What probes ask, by the address of a machine and without a sign-in. */
    public static final Set<String> OPEN_PATHS = Set.of(LIVE_PATH, READY_PATH);
    /** Every write must bring it; a page of another origin cannot send it without asking first. */
    public static final String WRITE_HEADER = "X-Treadle-Request";

    /** In place of a host name: any. For those who know their clients by what a browser sends to one host alone. */
    public static final String ANY_HOST = "*";

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> hosts;
    private final Proxies proxies;
    private final @Nullable Authenticator authenticator;
    private final User anybody;
    private final RefusalLog log;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param hosts         names by which the dashboard may be asked for, beside those of loopback, with or without port;
     *                      {@link #ANY_HOST} for all
     * @param proxies       whose headers identify the client
     * @param authenticator null if there is no sign-in: only on loopback
     * @param anybody       who asks then
     * @param log           of what is refused
     */
    public Guard(
            Set<String> hosts, Proxies proxies, @Nullable Authenticator authenticator, User anybody, RefusalLog log) {
        this.hosts = Set.copyOf(hosts);
        this.proxies = proxies;
        this.log = log;
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
        if (OPEN_PATHS.contains(request.path()) && request.isRead()) {
            return anybody;
        }
        try {
            return admitted(request);
        } catch (Problem e) {
            // why not who simply has not signed in yet: every browser asks so first
            boolean triedToSignIn = request.has("Authorization");
            boolean notSignedIn = e.code().equals("not-signed-in");
            if (!notSignedIn || triedToSignIn) {
                log.refused(
                        "The dashboard refused {} {} from {}: {}",
                        RefusalLog.printable(request.method()),
                        RefusalLog.printable(request.path()),
                        proxies.asked(request).request().remote(),
                        notSignedIn
                                ? "a wrong name or password."
                                : RefusalLog.printable(String.valueOf(e.getMessage())));
            }
            throw e;
        }
    }

    private User admitted(Request came) {
        if (authenticator == null && Proxies.hasTraces(came)) {
            throw new Problem(
                    403,
                    "proxied",
                    "Not through a proxy",
                    "This dashboard asks nobody to sign in, so it answers this machine alone, and the request came"
                            + " through a proxy.",
                    "Add users with user(name, password, role), and name the proxy with trustedProxies(…).");
        }
        Proxies.Asked asked = proxies.asked(came);
        checkHost(asked.request());
        User user = identify(asked);
        if (!came.isRead()) {
            checkWrite(asked.request());
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
        return LOOPBACK.contains(name) || hosts.contains(ANY_HOST) || hosts.contains(name) || hosts.contains(host);
    }

    private static String withoutPort(String host) {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    private User identify(Proxies.Asked asked) {
        if (authenticator == null) {
            return anybody;
        }
        User user = authenticator
                .user(asked.request())
                .orElseThrow(() -> new Problem(
                        401, "not-signed-in", "Who are you?", "This dashboard wants a name and a password.", null));
        if (authenticator.challenge() != null
                && !asked.secure()
                && asked.request().has("Authorization")
                && !isLoopback(asked.request().remote())
                && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} has signed in to the dashboard from {} without TLS: passwords can be read on their way. Put a proxy"
                            + " with TLS before it, and name that with trustedProxies(…).",
                    user.name(),
                    asked.request().remote());
        }
        return user;
    }

    private static boolean isLoopback(String remote) {
        return remote.startsWith("127.") || remote.equals("0:0:0:0:0:0:0:1") || remote.equals("::1");
    }

    /** What the header {@code WWW-Authenticate} says; null if there is no sign-in. */
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
            throw otherSite("The request came from another site's page.");
        }
        if (request.has("Origin") && !isOwn(request.header("Origin"), request.header("Host"))) {
            throw otherSite("The page is of " + request.header("Origin") + ", and the request came for the host "
                    + request.header("Host") + ": it is another site's, or a proxy changes the host name.");
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

    private static Problem otherSite(String what) {
        return Problem.forbidden(
                "other-site",
                what,
                "Use the dashboard's own page, or a program. A proxy has to pass the Host on as it came.");
    }
}
