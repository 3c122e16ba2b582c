package dev.treadle.dashboard.api;

import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.job.JobStory;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.ThreadStack;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists of jobs, one job, and what is done to one. */
final class JobsApi {
    /** How long one request goes on looking for jobs that fit, where few do. */
    private static final Duration LOOK_MAX = Duration.ofMillis(300);

    private static final int PAGE = 50;

    private final AdminStorage storage;
    private final Views views;
    private final RunViews runs;
    private final StepViews steps;
    private final JobRedactors redactors;
    private final StoredNames names;
    private final Json json;
    private final InstantSource time;
    private final Function<JobId, List<ThreadStack>> stacks;

    /** @param stacks where a job's threads stand now, its own first, if it runs in this process; else empty */
    JobsApi(
            AdminStorage storage,
            Views views,
            RunViews runs,
            JobRedactors redactors,
            Json json,
            InstantSource time,
            Function<JobId, List<ThreadStack>> stacks) {
        this.storage = storage;
        this.views = views;
        this.runs = runs;
        this.steps = new StepViews(storage.runs(), redactors);
        this.redactors = redactors;
        this.names = views.names();
        this.json = json;
        this.time = time;
        this.stacks = stacks;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/jobs", this::list),
                Route.get("/api/v1/jobs/{id}", this::job),
                Route.get("/api/v1/jobs/{id}/notes", this::notes),
                Route.get("/api/v1/jobs/{id}/steps", this::steps),
                Route.get("/api/v1/jobs/{id}/stack", this::stack),
                Route.post("/api/v1/jobs/{id}/run-again", Role.OPERATOR, call -> act(call, JobAction.RUN_AGAIN)),
                Route.post(
                        "/api/v1/jobs/{id}/run-from-start", Role.OPERATOR, call -> act(call, JobAction.RUN_FROM_START)),
                Route.post("/api/v1/jobs/{id}/run-now", Role.OPERATOR, call -> act(call, JobAction.RUN_NOW)),
                Route.post("/api/v1/jobs/{id}/cancel", Role.OPERATOR, call -> act(call, JobAction.CANCEL)),
                Route.post("/api/v1/jobs/{id}/delete", Role.OPERATOR, call -> act(call, JobAction.DELETE)),
                Route.get("/api/v1/failures", this::failures));
    }

    /** A page of jobs; {@code searchedTo} if the look ended before the page was full. */
    record Page(
            List<Views.Line> jobs,
            @Nullable String next,
            @Nullable Instant searchedTo) {}

    record Groups(List<Views.Group> groups) {}

    record Reason(@Nullable String why) {}

    record Stack(boolean here, List<String> frames, List<Fork> forks) {
        /** Where the thread of one of its forks stands, under the name that it has. */
        record Fork(String name, List<String> frames) {}
    }

    private Response list(Call call) {
        JobQuery filter = Query.filter(call.request(), time);
        if ((!filter.arguments().isEmpty() || !filter.errors().isEmpty())
                && !call.user().role().may(Role.OPERATOR)) {
            throw Problem.forbidden(
                    "role",
                    "Arguments and errors may hold secrets, and a user who may search them could guess those.",
                    "Searching with arg: or error: takes the role OPERATOR."
                            + " Failed jobs of one cause are found without, from the page Failures.");
        }
        int max = Query.number(call.request(), "limit", PAGE, 1, JobSearch.PAGE_MAX);
        String next = call.request().query().get("after");
        // why not by the storage: it would find what this person may not see, and a search could be used to guess it
        boolean asShown = !call.user().role().may(Role.OPERATOR);
        Filter looked = asShown ? new Filter(filter.withAnyType(), List.of(), names) : Filter.of(filter, names);
        List<Views.Line> found = new ArrayList<>();
        Instant until = time.instant().plus(LOOK_MAX);
        do {
            JobPage page = storage.search()
                    .list(looked.stored(), next == null || next.isEmpty() ? null : next, max - found.size());
            page.lines().stream()
                    .filter(line -> looked.isMeant(line.job()))
                    .map(views::line)
                    .filter(line -> !asShown || isShown(line, filter))
                    .forEach(found::add);
            next = page.next();
        } while (next != null && found.size() < max && time.instant().isBefore(until));
        boolean cutShort = next != null && found.size() < max;
        return json.ok(new Page(found, next, cutShort ? madeAt(next) : null));
    }

    /** Whether all words and labels occur in what is shown of a job. */
    private static boolean isShown(Views.Line line, JobQuery filter) {
        String shown = (line.type() + "." + (line.method() == null ? "" : line.method()) + " "
                        + (line.name() == null ? "" : line.name()) + " "
                        + (line.storedAs() == null ? "" : StoredNames.searched(line.storedAs())))
                .toLowerCase(Locale.ROOT);
        return filter.types().stream().allMatch(word -> shown.contains(word.toLowerCase(Locale.ROOT)))
                && line.labels().containsAll(filter.labels());
    }

    /** When the last job that was looked at was made, as its id says; null if that cannot be told. */
    private static @Nullable Instant madeAt(String next) {
        JobId id = dev.treadle.storage.admin.PageKey.parse(next, dev.treadle.storage.admin.PageKey.end())
                .id();
        int version = id.value().version();
        return version == 7 || version == 8 ? Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16) : null;
    }

    private Response job(Call call) {
        JobStory story = storage.queries().find(id(call)).orElseThrow(JobsApi::noJob);
        return json.ok(views.story(story));
    }

    /** What it reported, for a page that polls: with the lines alone that it has not got yet. */
    private Response notes(Call call) {
        return json.ok(runs.told(id(call), call.request().query().get("after")));
    }

    /** What its steps returned. */
    private Response steps(Call call) {
        return json.ok(steps.page(id(call), Query.number(call.request(), "from", 0, 0, JobStep.STEPS_MAX)));
    }

    private Response stack(Call call) {
        JobId id = id(call);
        List<ThreadStack> threads = stacks.apply(id);
        return json.ok(new Stack(
                !threads.isEmpty(),
                threads.stream().limit(1).flatMap(own -> frames(own).stream()).toList(),
                threads.stream()
                        .skip(1)
                        .map(fork -> new Stack.Fork(redactors.of(id).text(fork.name()), frames(fork)))
                        .toList()));
    }

    private static List<String> frames(ThreadStack thread) {
        return thread.frames().stream().map(StackTraceElement::toString).toList();
    }

    private Response act(Call call, JobAction action) {
        JobId id = id(call);
        Reason reason = json.read(call.request(), Reason.class);
        OperatorNote move = new OperatorNote(
                call.user().name(), reason.why() == null || reason.why().isBlank() ? null : reason.why());
        WriteResult result = storage.act(action, move, List.of(id), action.on(id.toString(), move))
                .get(0);
        if (result instanceof WriteResult.Missing) {
            throw noJob();
        }
        if (result instanceof WriteResult.Stale stale) {
            throw new Problem(
                    409,
                    "moved-on",
                    "The job moved on",
                    "This cannot be done to a job that is "
                            + (stale.found() == null ? "in its present state" : stale.found()) + ".",
                    "Look again: it may have moved while you looked.");
        }
        Optional<JobStory> story = storage.queries().find(id);
        return story.isPresent() ? json.ok(views.story(story.get())) : Response.empty(204);
    }

    private Response failures(Call call) {
        return json.ok(new Groups(
                storage.search().failures().stream().map(views::group).toList()));
    }

    private static JobId id(Call call) {
        try {
            return JobId.parse(call.parameter("id"));
        } catch (IllegalArgumentException e) {
            throw noJob();
        }
    }

    private static Problem noJob() {
        return Problem.notFound("There is no such job. It may have been deleted.");
    }
}
