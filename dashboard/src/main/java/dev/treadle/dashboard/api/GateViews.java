package dev.treadle.dashboard.api;

import dev.treadle.job.JobId;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobPage;
import dev.treadle.storage.admin.JobQuery;
import dev.treadle.storage.admin.JobSearch.EventSeen;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gates as the API shows them. However many jobs a gate counts, it is one row of the storage. */
final class GateViews {
    /** Most gates in one answer that are asked how many of their jobs run now: the first ones that have any left. */
    private static final int RUNNING_GATES_MAX = 5;
    /** Most running jobs that are counted of one gate. */
    private static final int RUNNING_MAX = 100;

    private final AdminStorage storage;
    private final JobRedactors redactors;

    GateViews(AdminStorage storage, JobRedactors redactors) {
        this.storage = storage;
        this.redactors = redactors;
    }

    /**
     * What a job waits at, or has passed.
     *
     * @param job         which waits there, or may come to wait
     * @param awaited     whether it waits there now
     * @param rule        the name of the rule under which it waits; null if it does not wait for jobs
     * @param jobs        how many jobs the gate counts so far
     * @param growing     whether more may come
     * @param succeeded   how many of them succeeded
     * @param failed      how many failed, were cancelled, or were deleted before they ended
     * @param left        how many have not ended, those that run among them
     * @param running     how many run now; null if that was not counted
     * @param runningMore whether more may run than were counted
     * @param only        the one job that it counts; null if it counts none or several
     * @param event       what it waits for if that is an event; null if the gate counts jobs
     */
    record View(
            String id,
            String job,
            String name,
            boolean awaited,
            @Nullable String rule,
            long jobs,
            boolean growing,
            long succeeded,
            long failed,
            long left,
            @Nullable Integer running,
            boolean runningMore,
            @Nullable String only,
            @Nullable Event event) {}

    /**
     * An event that a job waits or waited for.
     *
     * @param type     the class that the job's code asks for
     * @param until    when its time is or was over
     * @param standing AWAITED, HERE, OVER, or PASSED if the job ended or does not wait for it now
     */
    record Event(String type, Instant until, String standing) {}

    /** Those of one job. */
    List<View> of(JobId waiter, int from, int max) {
        return byJob(List.of(waiter), from, max).getOrDefault(waiter, List.of());
    }

    /** One of them. Where its job has very many gates, and waits at another, what it says of an event is left out. */
    View one(Gate gate) {
        List<GateSeen> all = storage.search().gates(List.of(gate.waiter()), 0, StorageProvider.BATCH_MAX);
        GateSeen seen = all.stream()
                .filter(one -> one.gate().id().equals(gate.id()))
                .findFirst()
                .orElse(new GateSeen(gate, null, null));
        StateName state = storage.queries().states(List.of(gate.waiter())).get(gate.waiter());
        return view(seen, state == StateName.WAITING, left(gate) > 0);
    }

    /** Those of some jobs, at most so many in all. */
    Map<JobId, List<View>> byJob(Collection<JobId> waiters, int from, int max) {
        Map<JobId, List<View>> views = new LinkedHashMap<>();
        if (waiters.isEmpty()) {
            return views;
        }
        List<GateSeen> seen = storage.search().gates(waiters, from, max);
        Map<JobId, StateName> states =
                seen.isEmpty() ? Map.of() : storage.queries().states(waiters);
        int counted = 0;
        for (GateSeen one : seen) {
            boolean counts = one.event() == null && left(one.gate()) > 0 && counted < RUNNING_GATES_MAX;
            counted += counts ? 1 : 0;
            JobId waiter = one.gate().waiter();
            views.computeIfAbsent(waiter, unseen -> new ArrayList<>())
                    .add(view(one, states.get(waiter) == StateName.WAITING, counts));
        }
        return views;
    }

    private View view(GateSeen seen, boolean waits, boolean countsRunning) {
        Gate gate = seen.gate();
        JobPage running = countsRunning
                ? storage.search().list(JobQuery.in(StateName.PROCESSING).withGate(gate.id()), null, RUNNING_MAX)
                : null;
        boolean isOne = gate.spawned() == 1 && gate.need() != null;
        return new View(
                gate.id().toString(),
                gate.waiter().toString(),
                redactors.of(gate.waiter()).text(gate.name()),
                waits && seen.isAwaited(),
                rule(seen),
                gate.counted(),
                seen.event() == null && gate.need() == null,
                gate.succeeded(),
                gate.failed(),
                left(gate),
                running == null ? null : running.lines().size(),
                running != null && running.next() != null,
                isOne ? gate.id().child(0).toString() : null,
                seen.event() == null ? null : event(seen.event(), waits));
    }

    private static @Nullable String rule(GateSeen seen) {
        if (seen.after() != null) {
            return seen.after().name();
        }
        return seen.rule() == null ? null : seen.rule().name();
    }

    private static Event event(EventSeen seen, boolean waits) {
        String standing = seen.over() ? "OVER" : seen.here() ? "HERE" : waits && seen.awaited() ? "AWAITED" : "PASSED";
        return new Event(seen.type(), seen.until(), standing);
    }

    private static long left(Gate gate) {
        return Math.max(0, gate.counted() - gate.ended());
    }
}
