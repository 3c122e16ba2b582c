package dev.treadle.dashboard.api;

import dev.treadle.api.Queues;
import dev.treadle.api.RecurringJobs;
import dev.treadle.dashboard.guard.Guard;
import dev.treadle.dashboard.guard.RefusalLog;
import dev.treadle.dashboard.live.Monitor;
import dev.treadle.dashboard.web.Json;
import dev.treadle.job.JobId;
import dev.treadle.job.ThreadStack;
import dev.treadle.server.JobServer;
import dev.treadle.storage.admin.AdminStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All routes over one storage, wired. */
public final class DashboardSite implements AutoCloseable {
    private final Site site;
    private final Bulk bulk;
    private final Pages pages;

    /**
     * What the routes are made of.
     *
     * @param recurring what recurs
     * @param queues    the queues
     * @param server  of this process; empty while it runs no jobs
     * @param stacks  where the threads of a job stand that runs in this process, its own first; else empty
     * @param secrets further patterns of names whose values are not shown
     * @param code    where the code of jobs may be, which marks further ones
     * @param names   the names that the code has for what is stored
     */
    public record Parts(
            AdminStorage storage,
            RecurringJobs recurring,
            Queues queues,
            Monitor monitor,
            Supplier<Optional<JobServer>> server,
            InstantSource time,
            Function<JobId, List<ThreadStack>> stacks,
            Collection<String> secrets,
            ClassLoader code,
            StoredNames names) {}

    /** All routes behind one guard. */
    public DashboardSite(Parts parts, Guard guard, RefusalLog refusals, WatchApi.About about) {
        Json json = new Json();
        Redactor redactor =
                new Redactor(parts.secrets(), parts.code(), parts.names().here());
        JobRedactors redactors = new JobRedactors(parts.storage().queries(), redactor);
        RunViews runs = new RunViews(parts.storage().runs(), redactors);
        Views views = new Views(redactors, runs, parts.names());
        bulk = new Bulk(parts.storage(), parts.names(), json, parts.time());
        pages = new Pages(about.title(), resource("openapi.json"));
        List<Route> routes = new ArrayList<>();
        routes.addAll(new WatchApi(parts.storage(), parts.monitor(), views, json, about).routes());
        routes.addAll(
                new JobsApi(parts.storage(), views, runs, redactors, json, parts.time(), parts.stacks()).routes());
        routes.addAll(new GatesApi(
                        parts.storage(),
                        views,
                        new GateViews(parts.storage(), redactors),
                        new Signals(parts.storage(), redactors, parts.code(), json),
                        json)
                .routes());
        routes.addAll(new RecurringApi(parts.storage(), parts.recurring(), redactor, parts.names(), json, parts.time())
                .routes());
        routes.addAll(new QueuesApi(parts.queues(), parts.monitor(), json, parts.time()).routes());
        routes.addAll(new AdmissionApi(parts.server(), json).routes());
        routes.addAll(bulk.routes());
        routes.addAll(new Events(parts.monitor().hub(), json, parts.time()).routes());
        routes.addAll(pages.routes());
        site = new Site(guard, routes, json, refusals, pages::nothingHere);
    }

    /** What is shown about this dashboard. */
    public static WatchApi.About about(String title, @Nullable String environment, String storage) {
        return new WatchApi.About(title, environment, storage, null);
    }

    /** Answers. */
    public Site site() {
        return site;
    }

    /** How much the page weighs on the wire, in bytes. */
    public int pageBytes() {
        return pages.files().bytesZipped();
    }

    private static byte[] resource(String name) {
        try (InputStream in = DashboardSite.class.getResourceAsStream("/dev/treadle/dashboard/" + name)) {
            if (in == null) {
                throw new IllegalStateException("The jar of the dashboard lacks " + name + ".");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        bulk.close();
    }
}
