package dev.treadle.dashboard;

import dev.treadle.Treadle;
import dev.treadle.dashboard.api.DashboardSite;
import dev.treadle.dashboard.api.StoredNames;
import dev.treadle.dashboard.guard.Authenticator;
import dev.treadle.dashboard.guard.Guard;
import dev.treadle.dashboard.guard.Passwords;
import dev.treadle.dashboard.guard.Proxies;
import dev.treadle.dashboard.guard.RefusalLog;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.guard.User;
import dev.treadle.dashboard.live.Monitor;
import dev.treadle.dashboard.web.Handler;
import dev.treadle.dashboard.web.WebServer;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dashboard of one Treadle:
 *
 * <pre>{@code
 * Dashboard dashboard = Dashboard.of(treadle).port(8000).withoutSignIn(Role.ADMIN).start();
 * }</pre>
 *
 * <p>It listens on loopback alone, and lets users there look and no more, unless you say otherwise. Elsewhere it starts
 * only with users, or an authenticator of yours. It makes no outside calls. Close it before the Treadle. Thread-safe
 * once started.
 */
public final class Dashboard implements AutoCloseable {
    private static final long LOOK_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(Dashboard.class);

    private final Monitor monitor;
    private final DashboardSite site;
    private final ScheduledThreadPoolExecutor clock;
    private final @Nullable WebServer server;
    private final String base;
    private final String host;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Held while looking: an older look must not have the last word. */
    private final ReentrantLock looking = new ReentrantLock();

    private Dashboard(Builder builder, boolean listen) {
        AdminStorage storage = AdminStorage.of(builder.treadle.storage());
        Clock time = Clock.systemUTC();
        this.base = builder.base;
        this.host = builder.host;
        this.monitor = new Monitor(storage, time, builder.treadle::server);
        Authenticator authenticator = builder.authenticator();
        RefusalLog refusals = new RefusalLog(time);
        this.site = new DashboardSite(
                new DashboardSite.Parts(
                        storage,
                        builder.treadle.jobs().recurring(),
                        builder.treadle.queues(),
                        monitor,
                        builder.treadle::server,
                        time,
                        id -> builder.treadle
                                .server()
                                .map(server -> server.stacksOf(id))
                                .orElse(List.of()),
                        builder.secrets,
                        Builder.code(),
                        new StoredNames(builder.treadle.jobs()::resolve, builder.treadle.jobs()::aliases)),
                new Guard(
                        builder.hosts,
                        Proxies.at(builder.proxies),
                        authenticator,
                        new User("anybody on this machine", builder.anybody),
                        refusals),
                refusals,
                DashboardSite.about(builder.title, builder.environment, storage.description()));
        this.server = listen ? new WebServer(builder.address(), base, Guard.OPEN_PATHS, site.site()) : null;
        this.clock = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "treadle-dashboard-clock");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        if (server != null) {
            sayWhere(server, builder);
        }
    }

    private static void sayWhere(WebServer server, Builder builder) {
        boolean open = builder.authenticator() == null;
        LOG.info(
                "The dashboard listens on {} ({}).",
                server.address().getAddress().getHostAddress() + ":"
                        + server.address().getPort(),
                open ? "no sign-in, so for this machine alone, with the role " + builder.anybody : "sign-in needed");
        if (!open && builder.proxies.isEmpty() && !server.address().getAddress().isLoopbackAddress()) {
            LOG.warn(
                    "The dashboard takes sign-ins from other machines without TLS, so passwords can be read on their way."
                            + " Put a proxy with TLS before it and name that with trustedProxies(…); docs/deploying.md says how.");
        }
    }

    /** Begins to build the dashboard of a Treadle. */
    public static Builder of(Treadle treadle) {
        return new Builder(treadle);
    }

    /** Begins to build the dashboard of jobs that other processes run. */
    public static Builder of(StorageProvider storage) {
        return new Builder(Treadle.on(storage).enqueueOnly());
    }

    /** Where it is: what to open in a browser. */
    public URI uri() {
        if (server == null) {
            throw new IllegalStateException("This dashboard has no server of its own.");
        }
        String name = host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + name + ":" + server.address().getPort() + base + "/");
    }

    /** Answers requests below the base path, for servers that mount it. */
    public Handler handler() {
        return request -> site.site().answer(request.base().isEmpty() ? request.under(base) : request);
    }

    DashboardSite site() {
        return site;
    }

    /** Looks now, for tests that do not want to wait. */
    void look() {
        looking.lock();
        try {
            monitor.turn();
        } catch (RuntimeException e) {
            // why caught: the clock would never call again
            LOG.error("The dashboard could not look.", e);
        } finally {
            looking.unlock();
        }
    }

    /** Stops listening and looking. A second close does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            clock.shutdownNow();
            monitor.hub().close();
            site.close();
            if (server != null) {
                server.close();
            }
        }
    }

    /** Collects what a dashboard is made of. For one thread. */
    public static final class Builder {
        /** Most ports that are tried, counting from the wanted one. */
        private static final int PORTS_MAX = 100;

        private final Treadle treadle;
        private final Set<String> hosts = new HashSet<>();
        private final Set<String> secrets = new LinkedHashSet<>();
        private String host = "127.0.0.1";
        private int port = 8000;
        private boolean orNext;
        private String base = "";
        private String title = "Treadle";
        private @Nullable String environment;
        private Role anybody = Role.VIEWER;
        private final Set<String> proxies = new LinkedHashSet<>();
        private @Nullable Passwords passwords;
        private @Nullable Authenticator authenticator;

        private Builder(Treadle treadle) {
            this.treadle = treadle;
        }

        /** The port; 8000 by default, and 0 takes any that is free. */
        public Builder port(int port) {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("The dashboard's port is " + port + " and must be 0 to 65535.");
            }
            this.port = port;
            return this;
        }

        /** Takes the next free port if the wanted one is taken. */
        public Builder orNextPort() {
            this.orNext = true;
            return this;
        }

        /** The address to listen on, 127.0.0.1 by default. Any but loopback needs users or an authenticator. */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /**
         * A name by which browsers ask for it, such as {@code jobs.example.com}, where that is not loopback;
         * {@value Guard#ANY_HOST} for any.
         */
        public Builder allowHost(String name) {
            hosts.add(name.toLowerCase(Locale.ROOT));
            return this;
        }

        /** The path under which it is reached, such as {@code /jobs}. */
        public Builder basePath(String path) {
            if (!path.isEmpty() && !path.matches("(/[A-Za-z0-9_.-]+)+")) {
                throw new IllegalArgumentException(
                        "The dashboard's base path is '" + path + "' and must be empty or such as /admin/jobs.");
            }
            this.base = path;
            return this;
        }

        /** What stands above the page. */
        public Builder title(String title) {
            this.title = title;
            return this;
        }

        /** A word that distinguishes this installation from others, such as STAGING. */
        public Builder environment(String environment) {
            this.environment = environment;
            return this;
        }

        /**
         * A user who may sign in by name and password. With the first one, everybody has to.
         *
         * @throws IllegalArgumentException if the password has fewer than {@value Passwords#PASSWORD_CHARS_MIN} characters
         */
        public Builder user(String name, String password, Role role) {
            passwords().add(name, password, role);
            return this;
        }

        /**
         * The same with a password that was hashed before, for configurations.
         *
         * @param hash what {@link Passwords#hashed} gave
         * @throws IllegalArgumentException if it is no such hash
         */
        public Builder userHashed(String name, String hash, Role role) {
            passwords().addHashed(name, hash, role);
            return this;
        }

        private Passwords passwords() {
            if (passwords == null) {
                passwords = new Passwords(Clock.systemUTC());
            }
            return passwords;
        }

        /** Your own way to identify clients, instead of users. */
        public Builder authenticator(Authenticator authenticator) {
            this.authenticator = authenticator;
            return this;
        }

        /**
         * The reverse proxies before it, as addresses or ranges such as {@code 10.0.0.0/8}. Of a request that comes from
         * one of them, the client's address, host and protocol are those that its {@code X-Forwarded-For}, {@code -Host}
         * and {@code -Proto} say. Other clients' headers of these names change nothing.
         *
         * @throws IllegalArgumentException if one is neither an address nor a range
         */
        public Builder trustedProxies(String... addresses) {
            Proxies.at(List.of(addresses));
            proxies.addAll(List.of(addresses));
            return this;
        }

        /**
         * What people may do who do not have to sign in: look, by default. Every account of this machine is one of
         * them, and every user who reaches it through a tunnel or a proxy that leaves no trace.
         */
        public Builder withoutSignIn(Role role) {
            this.anybody = role;
            return this;
        }

        /**
         * Leaves out the values of fields whose names match, beside those that look like secrets anyway and those that are
         * marked with {@link dev.treadle.job.Secret}.
         */
        public Builder hide(String namePattern) {
            secrets.add(java.util.regex.Pattern.compile(namePattern).pattern());
            return this;
        }

        /**
         * Begins to listen.
         *
         * @throws IllegalStateException if it would listen to others without knowing who they are
         */
        public Dashboard start() {
            check();
            for (int tries = 1; ; tries++) {
                try {
                    return new Dashboard(this, true);
                } catch (java.io.UncheckedIOException e) {
                    if (!orNext || port == 0 || tries == PORTS_MAX || port == 65_535) {
                        throw e;
                    }
                    port++;
                }
            }
        }

        /** Builds it without a server of its own: mount {@link Dashboard#handler()} in yours. */
        public Dashboard mount() {
            checkIdentity();
            if (authenticator() == null && hosts.isEmpty()) {
                LOG.info("The mounted dashboard answers under loopback names alone. Allow others with allowHost(…).");
            }
            if (authenticator() == null && !hosts.isEmpty()) {
                throw new IllegalStateException(open());
            }
            return new Dashboard(this, false);
        }

        /** Where the code of jobs may be. */
        private static ClassLoader code() {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            return context == null ? ClassLoader.getSystemClassLoader() : context;
        }

        private @Nullable Authenticator authenticator() {
            return authenticator != null ? authenticator : passwords;
        }

        private InetSocketAddress address() {
            return new InetSocketAddress(resolved(), port);
        }

        private InetAddress resolved() {
            try {
                return InetAddress.getByName(host);
            } catch (UnknownHostException e) {
                throw new IllegalStateException("The dashboard cannot listen on '" + host + "': no such host.", e);
            }
        }

        private void checkIdentity() {
            if (authenticator != null && passwords != null) {
                throw new IllegalStateException(
                        "The dashboard has both users and an authenticator. Give it one of them.");
            }
        }

        private void check() {
            checkIdentity();
            boolean loopback = resolved().isLoopbackAddress();
            if (!loopback && authenticator() == null || authenticator() == null && !hosts.isEmpty()) {
                throw new IllegalStateException(open());
            }
            if (!loopback && hosts.isEmpty()) {
                throw new IllegalStateException("The dashboard listens on " + host
                        + " and does not know the host name that browsers use."
                        + " Set it with allowHost(\"jobs.example.com\").");
            }
        }

        private String open() {
            return "The dashboard would answer others than this machine without knowing who they are, and they could"
                    + " run, cancel and delete jobs. Add a user with user(name, password, role), or an authenticator, or"
                    + " leave host and allowHost out.";
        }
    }
}
