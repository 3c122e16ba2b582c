package dev.treadle.dashboard.api;

import dev.treadle.api.RecurringJobs;
import dev.treadle.dashboard.api.Route.Call;
import dev.treadle.dashboard.guard.Role;
import dev.treadle.dashboard.web.Json;
import dev.treadle.dashboard.web.Problem;
import dev.treadle.dashboard.web.Response;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.schedule.Schedule;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What recurs: when it comes next, how its last runs ended, and what people decide about it. */
final class RecurringApi {
    private static final int NEXT = 5;
    private static final int LAST = 20;
    /** Slots looked at to find the last ones: where two are close and the next far away, fewer are found. */
    private static final int LOOK_MAX = 200;

    private static final int SHOWN_MAX = 1_000;
    private static final int SHOWN = 200;

    private final StorageProvider storage;
    private final RecurringJobs recurring;
    private final Redactor redactor;
    private final StoredNames names;
    private final Json json;
    private final InstantSource time;

    RecurringApi(
            StorageProvider storage,
            RecurringJobs recurring,
            Redactor redactor,
            StoredNames names,
            Json json,
            InstantSource time) {
        this.storage = storage;
        this.recurring = recurring;
        this.redactor = redactor;
        this.names = names;
        this.json = json;
        this.time = time;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/v1/recurring", this::list),
                Route.post("/api/v1/recurring", Role.OPERATOR, this::act),
                Route.post("/api/v1/schedules/preview", Role.OPERATOR, this::preview));
    }

    /** A recurring job; {@code changed} if people gave it another schedule than the code declares. */
    record View(
            String id,
            String name,
            String schedule,
            String declared,
            boolean changed,
            String status,
            @Nullable String by,
            @Nullable String why,
            @Nullable Instant next,
            List<Time> upcoming,
            List<Run> last) {}

    /** One time to come, on the clocks of the schedule's zone. */
    record Time(Instant at, String local, @Nullable String note) {}

    /** One run that was; without a state if its job is not kept any more. */
    record Run(Instant slot, String job, @Nullable String state) {}

    record All(List<View> recurring, boolean more) {}

    record Order(
            @Nullable String id,
            @Nullable String action,
            @Nullable String schedule,
            @Nullable String why) {}

    record Done(@Nullable String job) {}

    record Preview(List<Time> upcoming) {}

    private Response list(Call call) {
        int max = Query.number(call.request(), "limit", SHOWN, 1, SHOWN_MAX);
        String part = call.request().query().getOrDefault("q", "").toLowerCase(Locale.ROOT);
        List<RecurringJob> jobs = recurring.list().stream()
                .filter(job ->
                        (job.id() + " " + name(job)).toLowerCase(Locale.ROOT).contains(part))
                .toList();
        List<RecurringJob> shown = jobs.subList(0, Math.min(max, jobs.size()));
        Map<RecurringJob, Map<Instant, JobId>> runs = new LinkedHashMap<>();
        shown.forEach(job -> runs.put(job, runs(job)));
        Map<JobId, StateName> states = storage.queries()
                .states(runs.values().stream()
                        .flatMap(slots -> slots.values().stream())
                        .distinct()
                        .toList());
        return json.ok(new All(
                shown.stream().map(job -> view(job, runs.get(job), states)).toList(), jobs.size() > shown.size()));
    }

    private View view(RecurringJob job, @Nullable Map<Instant, JobId> runs, Map<JobId, StateName> states) {
        List<Run> last = new ArrayList<>();
        if (runs != null) {
            runs.forEach((slot, id) -> last.add(new Run(
                    slot, id.toString(), states.containsKey(id) ? states.get(id).name() : null)));
        }
        // before the first that is kept there may have been no runs at all
        while (!last.isEmpty() && last.get(0).state() == null) {
            last.remove(0);
        }
        boolean active = job.standing().status() == RecurringJob.Status.ACTIVE;
        Instant next = job.progress().next();
        return new View(
                job.id(),
                name(job),
                job.plan().schedule(),
                job.plan().declared(),
                !job.plan().schedule().equals(job.plan().declared()),
                job.standing().status().name(),
                job.standing().by(),
                job.standing().why(),
                active ? next : null,
                active ? times(Schedule.parse(job.plan().schedule())) : List.of(),
                last);
    }

    /** As it is shown, so that a search finds nothing else. */
    private String name(RecurringJob job) {
        String name = job.plan().traits().name();
        return name == null
                ? names.here().apply(job.plan().invocation()).target()
                : redactor.of(job.plan().invocation()).text(name);
    }

    private List<Time> times(Schedule schedule) {
        return schedule.preview(time.instant(), NEXT).stream()
                .map(next -> new Time(next.at(), next.local().toString(), next.note()))
                .toList();
    }

    /** The last slots and the jobs that they made, oldest first. */
    private static Map<Instant, JobId> runs(RecurringJob job) {
        Map<Instant, JobId> runs = new LinkedHashMap<>();
        Instant last = job.progress().slot();
        JobId lastJob = job.progress().job();
        if (last == null || lastJob == null) {
            return runs;
        }
        Schedule schedule = Schedule.parse(job.plan().schedule());
        if (!schedule.followsRuns()) {
            List<Instant> before = slotsUntil(schedule, last);
            before.subList(Math.max(0, before.size() - LAST), before.size())
                    .forEach(slot -> runs.put(slot, job.jobId(slot)));
        }
        runs.put(last, lastJob);
        return runs;
    }

    private static List<Instant> slotsUntil(Schedule schedule, Instant last) {
        Instant following = schedule.next(last).orElse(last.plus(Duration.ofDays(1)));
        Instant from = last.minus(Duration.between(last, following).multipliedBy(LAST));
        return schedule.preview(from, LOOK_MAX).stream()
                .map(slot -> slot.at())
                .filter(slot -> slot.isBefore(last))
                .toList();
    }

    private Response preview(Call call) {
        Order order = json.read(call.request(), Order.class);
        return json.ok(new Preview(times(schedule(order))));
    }

    private static Schedule schedule(Order order) {
        String text = order.schedule();
        if (text == null || text.isBlank() || text.length() > RecurringJob.ID_CHARS_MAX) {
            throw Problem.bad("The schedule is missing or too long.");
        }
        return Schedule.parse(text.strip());
    }

    private Response act(Call call) {
        Order order = json.read(call.request(), Order.class);
        String id = order.id() == null ? "" : order.id();
        String by = call.user().name();
        String why = order.why() == null || order.why().isBlank() ? null : order.why();
        String action = String.valueOf(order.action());
        String target = "recurring " + id + (action.equals("RESCHEDULE") ? " to " + order.schedule() : "");
        RecurringJobs audited = recurring.audited(new OperatorAct(action, new OperatorNote(by, why), target));
        JobId job = null;
        WriteResult result = WriteResult.WRITTEN;
        switch (action) {
            case "TRIGGER" -> job = audited.trigger(id).orElseThrow(RecurringApi::missing);
            case "PAUSE" -> result = audited.pause(id, by, why);
            case "RESUME" -> result = audited.resume(id, by, why);
            case "RESCHEDULE" -> {
                admin(call);
                result = audited.reschedule(id, schedule(order), by, why);
            }
            case "RESET" -> {
                admin(call);
                result = audited.resetSchedule(id, by, why);
            }
            default -> throw Problem.bad("The action is one of TRIGGER, PAUSE, RESUME, RESCHEDULE and RESET.");
        }
        if (result instanceof WriteResult.Missing) {
            throw missing();
        }
        return json.ok(new Done(job == null ? null : job.toString()));
    }

    private static void admin(Call call) {
        if (!call.user().role().may(Role.ADMIN)) {
            throw Problem.forbidden(
                    "role", "Changing a schedule takes the role ADMIN.", "Ask somebody who has that role.");
        }
    }

    private static Problem missing() {
        return Problem.notFound("There is no such recurring job. It may have been deleted.");
    }
}
