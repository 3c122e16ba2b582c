package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Guard;
import dev.treadle.dashboard.live.Hub;
import dev.treadle.dashboard.live.Monitor;
import dev.treadle.dashboard.live.Monitor.Tick;
import dev.treadle.dashboard.live.Point;
import dev.treadle.dashboard.live.ProblemView;
import dev.treadle.dashboard.live.Series;
import dev.treadle.dashboard.live.Vitals;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.health.Verdict.Level;
import dev.treadle.job.NodeId;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.FailureGroup;
import dev.treadle.storage.admin.JobSearch.NodeSeen;
import dev.treadle.storage.admin.Operators;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the whole looks like: overview, servers, problems, what was done. */
final class WatchApi {
    private static final int TOP_FAILURES = 3;
    private static final int AUDIT_PAGE = 50;

    private final AdminStorage storage;
    private final Monitor monitor;
    private final Views views;
    private final Json json;
    private final About about;

    WatchApi(AdminStorage storage, Monitor monitor, Views views, Json json, About about) {
        this.storage = storage;
        this.monitor = monitor;
        this.views = views;
        this.json = json;
        this.about = about;
    }

    List<Route> routes() {
        return List.of(
                Route.get(Guard.LIVE_PATH, call -> json.ok(new Live("up"))),
                Route.get(Guard.READY_PATH, call -> ready()),
                Route.get("/api/v1/health", this::health),
                Route.get(
                        "/api/v1/me",
                        call -> json.ok(
                                new Me(call.user().name(), call.user().role().name(), about()))),
                Route.get("/api/v1/overview", this::overview),
                Route.get("/api/v1/servers", this::servers),
                Route.get("/api/v1/servers/{id}", this::server),
                Route.get("/api/v1/problems", call -> json.ok(new Problems(monitor.problems()))),
                Route.get("/api/v1/audit", this::audit));
    }

    /**
     * What this dashboard is of.
     *
     * @param title       for people
     * @param environment a word such as STAGING; null if none was given
     * @param storage     what the jobs are kept in
     * @param self        this process's node id; null if it runs no jobs
     */
    public record About(
            String title,
            @Nullable String environment,
            String storage,
            @Nullable String self) {}

    /** With the server of this process as it is now. */
    private About about() {
        NodeId self = monitor.self();
        return new About(
                about.title(), about.environment(), about.storage(), self == null ? null : Long.toString(self.value()));
    }

    record Live(String status) {}

    record Me(String name, String role, About about) {}

    record Overview(
            Tick now,
            long number,
            String window,
            List<Point> points,
            List<Vitals> vitals,
            List<Views.Group> failures) {}

    record Servers(List<Monitor.Server> servers, @Nullable String self, Object jvm, List<Vitals> vitals) {}

    /** One server over a window; {@code facts} is what it says of itself. */
    record Machine(Monitor.Server server, Map<String, String> facts, String window, List<Vitals> vitals) {}

    record Problems(List<ProblemView> problems) {}

    record Audit(List<Operators.Done> rows, @Nullable Long next) {}

    /** Only yes or no: every client may ask. */
    private Response ready() {
        Tick tick = monitor.last();
        boolean ready = tick != null && tick.verdict().level() != Level.DOWN;
        return Response.of(ready ? 200 : 503, "application/json", json.bytes(new Live(ready ? "ready" : "not ready")));
    }

    private Response health(Call call) {
        Tick tick = tick();
        return Response.of(
                tick.verdict().level() == Level.DOWN ? 503 : 200, "application/json", json.bytes(tick.verdict()));
    }

    private Response overview(Call call) {
        String window = window(call);
        List<Views.Group> failures = monitor.failures().stream()
                .sorted(Comparator.comparingInt(FailureGroup::jobs).reversed())
                .limit(TOP_FAILURES)
                .map(views::group)
                .toList();
        Hub<Tick> hub = monitor.hub();
        return json.ok(
                new Overview(tick(), hub.latest(), window, monitor.series().of(window), monitor.vitals(), failures));
    }

    private static String window(Call call) {
        String window = call.request().query().getOrDefault("window", "5m");
        if (!Series.STEP_SECONDS.containsKey(window)) {
            throw Problem.bad("The window is one of 5m, 1h, 24h and 7d.");
        }
        return window;
    }

    private Tick tick() {
        Tick tick = monitor.last();
        if (tick == null) {
            throw new Problem(
                    503,
                    "starting",
                    "Not yet",
                    "The dashboard has just started and has seen nothing yet.",
                    "Try again.");
        }
        return tick;
    }

    private Response servers(Call call) {
        return json.ok(new Servers(tick().servers(), about().self(), monitor.jvm(), monitor.vitals()));
    }

    private Response server(Call call) {
        String window = window(call);
        Monitor.Server server = tick().servers().stream()
                .filter(seen -> seen.id().equals(call.parameter("id")))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("There is no such server, or it went more than an hour ago."));
        Map<String, String> facts = new LinkedHashMap<>();
        monitor.nodes().stream()
                .map(NodeSeen::node)
                .filter(node -> Long.toString(node.id().value()).equals(server.id()) && node.figures() != null)
                .forEach(node ->
                        facts.putAll(Objects.requireNonNull(node.figures()).facts()));
        NodeId id = new NodeId(Long.parseLong(server.id()));
        return json.ok(new Machine(server, facts, window, monitor.vitals(id, window)));
    }

    private Response audit(Call call) {
        String before = call.request().query().get("before");
        if (before != null && !before.matches("\\d{1,18}")) {
            throw Problem.bad("The parameter before is the number of a row.");
        }
        int max = Query.number(call.request(), "limit", AUDIT_PAGE, 1, Operators.AUDIT_MAX);
        List<Operators.Done> rows = storage.operators().audit(before == null ? null : Long.valueOf(before), max);
        return json.ok(new Audit(
                rows, rows.size() < max ? null : rows.get(rows.size() - 1).number()));
    }
}
