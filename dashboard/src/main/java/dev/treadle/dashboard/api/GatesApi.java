package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStory;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What jobs wait at, what is made of what, and events by hand. */
final class GatesApi {
    /** Most gates in one answer. */
    static final int GATES = 100;
    /** Most jobs of a gate in one answer. */
    static final int JOBS = 50;
    /** Most gates that are told of one job among others. */
    static final int GATES_OF_ONE = 10;
    /** How far up parents are looked for. */
    static final int PARENTS = 10;

    private static final int FROM_MAX = 100_000;

    private final AdminStorage storage;
    private final Views views;
    private final GateViews gates;
    private final Signals signals;
    private final Json json;

    GatesApi(AdminStorage storage, Views views, GateViews gates, Signals signals, Json json) {
        this.storage = storage;
        this.views = views;
        this.gates = gates;
        this.signals = signals;
        this.json = json;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/jobs/{id}/gates", this::ofJob),
                Route.get("/api/v1/jobs/{id}/parents", this::parents),
                Route.get("/api/v1/gates/{id}", this::one),
                Route.get("/api/v1/gates/{id}/jobs", this::jobs),
                Route.post("/api/v1/gates/{id}/signal", Role.OPERATOR, this::signal));
    }

    /** Some gates of a job; {@code next} says how many to pass over if there are more. */
    record Page(List<GateViews.View> gates, @Nullable Integer next) {}

    /** The jobs above one: the one that spawned it first, then the one that spawned that; {@code more} if there are more. */
    record Parents(List<Parent> parents, boolean more) {}

    /** A job above another, and the gate that counts the other. */
    record Parent(Views.Line job, String gate, String name) {}

    /** A gate and the job that waits there; null if that was deleted a moment ago. */
    record Whole(GateViews.View gate, Views.@Nullable Line job) {}

    /** Some of the jobs that a gate counts. */
    record Jobs(List<Child> jobs, @Nullable String next) {}

    /** One of them, with its own gates; {@code more} if it may have more than these. */
    record Child(Views.Line job, List<GateViews.View> gates, boolean more) {}

    private Response ofJob(Call call) {
        JobId id = JobId.of(uuid(call));
        int from = Query.number(call.request(), "from", 0, 0, FROM_MAX);
        List<GateViews.View> found = gates.of(id, from, GATES + 1);
        boolean more = found.size() > GATES;
        return json.ok(new Page(more ? found.subList(0, GATES) : found, more ? from + GATES : null));
    }

    private Response parents(Call call) {
        List<Parent> parents = new ArrayList<>();
        Optional<Gate> counts = storage.queries().find(JobId.of(uuid(call))).flatMap(this::counting);
        while (counts.isPresent() && parents.size() < PARENTS) {
            Gate gate = counts.get();
            Optional<JobStory> waiter = storage.queries().find(gate.waiter());
            waiter.ifPresent(story -> parents.add(new Parent(
                    views.line(story),
                    gate.id().toString(),
                    views.redactors().of(story.job()).text(gate.name()))));
            counts = waiter.flatMap(this::counting);
        }
        return json.ok(new Parents(parents, counts.isPresent()));
    }

    private Optional<Gate> counting(JobStory story) {
        GateId gate = story.job().traits().gate();
        return gate == null ? Optional.empty() : storage.runs().gates().find(gate);
    }

    private Response one(Call call) {
        Gate gate = find(call);
        return json.ok(new Whole(
                gates.one(gate),
                storage.queries().find(gate.waiter()).map(views::line).orElse(null)));
    }

    private Response jobs(Call call) {
        GateId id = new GateId(uuid(call));
        int max = Query.number(call.request(), "limit", JOBS, 1, JOBS);
        String after = call.request().query().get("after");
        JobPage page =
                storage.search().list(JobQuery.ALL.withGate(id), after == null || after.isEmpty() ? null : after, max);
        List<JobId> ids = page.lines().stream().map(line -> line.job().id()).toList();
        int most = max * GATES_OF_ONE;
        Map<JobId, List<GateViews.View>> nested = gates.byJob(ids, 0, most);
        boolean cut = nested.values().stream().mapToInt(List::size).sum() == most;
        return json.ok(new Jobs(
                page.lines().stream()
                        .map(line -> child(line, nested.getOrDefault(line.job().id(), List.of()), cut))
                        .toList(),
                page.next()));
    }

    private Child child(JobPage.Line line, List<GateViews.View> own, boolean cut) {
        boolean more = cut || own.size() > GATES_OF_ONE;
        return new Child(views.line(line), own.stream().limit(GATES_OF_ONE).toList(), more);
    }

    private Response signal(Call call) {
        return json.ok(signals.signal(find(call), json.read(call.request(), Signals.Order.class), call.user()));
    }

    private Gate find(Call call) {
        return storage.runs().gates().find(new GateId(uuid(call))).orElseThrow(GatesApi::noGate);
    }

    private static UUID uuid(Call call) {
        try {
            return UUID.fromString(call.parameter("id"));
        } catch (IllegalArgumentException e) {
            throw Problem.notFound("There is nothing of that id.");
        }
    }

    private static Problem noGate() {
        return Problem.notFound("There is no such gate. The job that waited there may have been deleted.");
    }
}
