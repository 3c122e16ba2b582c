package dev.treadle.storage;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JobStory;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All jobs and where they stand, with the same moves as the SQL storages. Guarded by the lock of its storage. */
final class MemoryTables {
    private static final Comparator<Waiting> READY_ORDER = Comparator.comparingInt(Waiting::priority)
            .thenComparing(Waiting::at)
            .thenComparing(Waiting::id);
    private static final Comparator<Waiting> DUE_ORDER =
            Comparator.comparing(Waiting::at).thenComparing(Waiting::id);

    final MemoryNodes nodes;
    private final InstantSource time;
    private final Map<JobId, Job> jobs = new HashMap<>();
    private final Map<JobId, List<Told>> history = new HashMap<>();
    private final TreeSet<Waiting> ready = new TreeSet<>(READY_ORDER);
    private final TreeSet<Waiting> deferred = new TreeSet<>(DUE_ORDER);
    private final Map<JobId, Waiting> waiting = new HashMap<>();
    private final Map<JobId, Leased> leases = new LinkedHashMap<>();
    private final Map<JobId, ParkedBy> parked = new LinkedHashMap<>();
    private long lastToken;

    MemoryTables(InstantSource time) {
        this.time = time;
        this.nodes = new MemoryNodes(time);
    }

    Set<JobId> insert(List<NewJob> batch) {
        Set<JobId> existing = new LinkedHashSet<>();
        Instant now = time.instant();
        for (NewJob fresh : batch) {
            if (jobs.containsKey(fresh.id())) {
                existing.add(fresh.id());
                continue;
            }
            Instant dueAt = dueAt(fresh.due(), now);
            Job job = new Job(fresh.id(), fresh.invocation(), fresh.traits(), now, 0, new JobState.Enqueued(now));
            place(job, dueAt, now);
        }
        return existing;
    }

    List<Leased> insertLeased(NodeId node, List<NewJob> batch) {
        List<Leased> born = new ArrayList<>();
        long token = ++lastToken;
        Instant now = time.instant();
        for (NewJob fresh : batch) {
            if (!jobs.containsKey(fresh.id())) {
                Job job = new Job(
                        fresh.id(), fresh.invocation(), fresh.traits(), now, 1, new JobState.Processing(now, node));
                Leased lease = new Leased(job, token);
                jobs.put(job.id(), job);
                leases.put(job.id(), lease);
                born.add(lease);
            }
        }
        return born;
    }

    private static Instant dueAt(Due due, Instant now) {
        if (due instanceof Due.At at) {
            return at.instant();
        }
        return due instanceof Due.After after ? now.plus(after.delay()) : now;
    }

    Promotion promote(int max) {
        Instant now = time.instant();
        int moved = 0;
        while (moved < max && !deferred.isEmpty() && !deferred.first().at.isAfter(now)) {
            Waiting due = deferred.pollFirst();
            waiting.remove(due.id);
            place(job(due.id), due.at, now);
            moved++;
        }
        return new Promotion(
                moved, deferred.isEmpty() ? null : notNegative(Duration.between(now, deferred.first().at)));
    }

    private static Duration notNegative(Duration untilNext) {
        return untilNext.isNegative() ? Duration.ZERO : untilNext;
    }

    List<Leased> claim(NodeId node, int max) {
        List<Leased> taken = new ArrayList<>();
        long token = ++lastToken;
        Instant now = time.instant();
        while (taken.size() < max && !ready.isEmpty()) {
            Waiting due = ready.pollFirst();
            waiting.remove(due.id);
            Job before = job(due.id);
            Leased lease = new Leased(move(before, new JobState.Processing(now, node), before.attempt() + 1), token);
            leases.put(due.id, lease);
            taken.add(lease);
        }
        return taken;
    }

    List<Leased> leases(Predicate<Leased> which, int max) {
        return leases.values().stream().filter(which).limit(max).toList();
    }

    WriteResult record(Ending ending) {
        Leased mine = ending.lease();
        JobId id = mine.job().id();
        Leased held = leases.get(id);
        if (held == null || held.token() != mine.token()) {
            return tells(id, mine.token(), ending.event()) ? WriteResult.WRITTEN : WriteResult.STALE;
        }
        leases.remove(id);
        Instant now = time.instant();
        Job job = held.job();
        if (ending instanceof Ending.Complete done) {
            move(job, new JobState.Succeeded(now, done.ranFor()), job.attempt());
            tell(now, held, Event.COMPLETED, StateName.SUCCEEDED, done.ranFor(), null);
        } else if (ending instanceof Ending.Retry retry) {
            defer(job, now.plus(retry.delay()), now);
            tell(now, held, retry.event(), StateName.SCHEDULED, retry.ranFor(), retry.why());
        } else if (ending instanceof Ending.Fail fail) {
            move(job, new JobState.Failed(now, fail.why()), job.attempt());
            tell(now, held, fail.event(), StateName.FAILED, fail.ranFor(), fail.why());
        } else if (ending instanceof Ending.Park park) {
            move(job, new JobState.Parked(now, park.why().message()), job.attempt() - 1);
            parked.put(id, new ParkedBy(held.node(), park.known(), now));
            tell(now, held, Event.NOT_RUNNABLE, StateName.PARKED, null, park.why());
        } else if (ending instanceof Ending.GiveBack back) {
            Instant since = ((JobState.Processing) job.state()).since();
            enqueue(move(job, new JobState.Enqueued(now), job.attempt() - 1), since);
            if (back.ranFor() != null) {
                tell(now, held, Event.STOPPED, StateName.ENQUEUED, back.ranFor(), null);
            }
        }
        return WriteResult.WRITTEN;
    }

    Set<String> parkedTargets(NodeId node) {
        Set<String> targets = new LinkedHashSet<>();
        parked.forEach((id, by) -> {
            if (mayTry(node, by)) {
                targets.add(job(id).invocation().target());
            }
        });
        return targets;
    }

    int unpark(NodeId node, String target, int max) {
        List<JobId> back = parked.keySet().stream()
                .filter(id -> mayTry(node, parked.get(id)))
                .filter(id -> job(id).invocation().target().equals(target))
                .limit(max)
                .toList();
        Instant now = time.instant();
        for (JobId id : back) {
            parked.remove(id);
            Job job = job(id);
            enqueue(move(job, new JobState.Enqueued(now), job.attempt()), now);
        }
        return back.size();
    }

    private boolean mayTry(NodeId node, ParkedBy by) {
        Instant since = nodes.since(node);
        return !by.known || since != null && by.at.isBefore(since);
    }

    WriteResult cancel(JobId id, Move by) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (!job.state().name().canBecome(StateName.CANCELLED)) {
            return new WriteResult.Stale(job.state().name());
        }
        leave(id);
        Instant now = time.instant();
        move(job, new JobState.Cancelled(now, by.by(), by.why()), job.attempt());
        tell(now, job, Event.CANCELLED, StateName.CANCELLED, by);
        return WriteResult.WRITTEN;
    }

    WriteResult runAgain(JobId id, Move by) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (!job.state().name().isFinal() && job.state().name() != StateName.PARKED) {
            return new WriteResult.Stale(job.state().name());
        }
        leave(id);
        Instant now = time.instant();
        enqueue(move(job, new JobState.Enqueued(now), 0), now);
        tell(now, job, Event.RUN_AGAIN, StateName.ENQUEUED, by);
        return WriteResult.WRITTEN;
    }

    /** Made due at once; Written, Stale or Missing. */
    WriteResult runNow(JobId id) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (job.state().name() != StateName.SCHEDULED) {
            return new WriteResult.Stale(job.state().name());
        }
        leave(id);
        Instant now = time.instant();
        enqueue(move(job, new JobState.Enqueued(now), job.attempt()), now);
        return WriteResult.WRITTEN;
    }

    /** Forgotten; Written, Stale or Missing. */
    WriteResult delete(JobId id) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (job.state().name() == StateName.PROCESSING) {
            return new WriteResult.Stale(StateName.PROCESSING);
        }
        leave(id);
        jobs.remove(id);
        history.remove(id);
        return WriteResult.WRITTEN;
    }

    /** Every job, in no order. */
    Collection<Job> jobs() {
        return jobs.values();
    }

    /** When the job came due that waits; null if it does not wait. */
    @Nullable
    Instant dueSince(JobId id) {
        Waiting waits = waiting.get(id);
        return waits == null ? null : waits.at;
    }

    /** What was told of a job, oldest first. */
    List<HistoryEntry> told(JobId id) {
        return history.getOrDefault(id, List.of()).stream().map(Told::entry).toList();
    }

    Optional<JobState> state(JobId id) {
        return Optional.ofNullable(jobs.get(id)).map(Job::state);
    }

    Map<StateName, Long> counts() {
        Map<StateName, Long> counts = new EnumMap<>(StateName.class);
        for (StateName state : StateName.values()) {
            counts.put(state, 0L);
        }
        jobs.values().forEach(job -> counts.merge(job.state().name(), 1L, Long::sum));
        return counts;
    }

    Optional<JobStory> story(JobId id) {
        return Optional.ofNullable(jobs.get(id)).map(job -> new JobStory(job, told(id)));
    }

    /** Takes the job out of wherever it waits. */
    private void leave(JobId id) {
        Waiting waits = waiting.remove(id);
        if (waits != null) {
            ready.remove(waits);
            deferred.remove(waits);
        }
        leases.remove(id);
        parked.remove(id);
    }

    private void place(Job job, Instant dueAt, Instant now) {
        if (dueAt.isAfter(now)) {
            defer(job, dueAt, now);
        } else {
            enqueue(move(job, new JobState.Enqueued(now), job.attempt()), dueAt);
        }
    }

    private void defer(Job job, Instant dueAt, Instant now) {
        move(job, new JobState.Scheduled(now, dueAt), job.attempt());
        Waiting waits = new Waiting(job.id(), job.priority(), dueAt);
        deferred.add(waits);
        waiting.put(job.id(), waits);
    }

    private void enqueue(Job job, Instant at) {
        Waiting waits = new Waiting(job.id(), job.priority(), at);
        ready.add(waits);
        waiting.put(job.id(), waits);
    }

    private Job move(Job job, JobState next, int attempt) {
        Job moved = new Job(job.id(), job.invocation(), job.traits(), job.createdAt(), attempt, next);
        jobs.put(job.id(), moved);
        return moved;
    }

    private Job job(JobId id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalStateException("job " + id + " is in a table but has no body");
        }
        return job;
    }

    private boolean tells(JobId id, long token, @Nullable Event event) {
        return history.getOrDefault(id, List.of()).stream()
                .anyMatch(told -> told.token == token && told.entry.event() == event);
    }

    private void tell(
            Instant now, Leased held, Event event, StateName next, @Nullable Duration ranFor, @Nullable Failure why) {
        Job job = held.job();
        tell(
                job.id(),
                held.token(),
                new HistoryEntry(
                        event,
                        next,
                        job.attempt(),
                        held.node(),
                        null,
                        job.state().since(),
                        now,
                        ranFor,
                        why));
    }

    private void tell(Instant now, Job job, Event event, StateName next, Move by) {
        Failure why = by.why() == null ? null : Failure.because("", by.why());
        tell(job.id(), ++lastToken, new HistoryEntry(event, next, job.attempt(), null, by.by(), null, now, null, why));
    }

    private void tell(JobId id, long token, HistoryEntry entry) {
        history.computeIfAbsent(id, unseen -> new ArrayList<>()).add(new Told(token, entry));
    }

    /** A job that waits for its time or for a permit. */
    private record Waiting(JobId id, int priority, Instant at) {}

    /** Which node parked a job, whether it knew the target, and when. */
    private record ParkedBy(NodeId node, boolean known, Instant at) {}

    /** A history row and the token of the lease or move it tells of. */
    private record Told(long token, HistoryEntry entry) {}
}
