package dev.treadle.storage;

import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.storage.QueueStorage.Head;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All jobs and where they stand, with the same moves as the SQL storages. Guarded by the lock of its storage. */
final class MemoryTables {
    final MemoryNodes nodes;
    final MemoryRuns runs;
    private final InstantSource time;
    final MemoryKeys keys;
    final Map<JobId, Job> jobs = new HashMap<>();
    final MemoryHistory history = new MemoryHistory();
    /** Each lane that ever had a job, in the order of their first ones. */
    private final Map<Lane, TreeSet<MemoryWaiting>> ready = new LinkedHashMap<>();

    private final TreeSet<MemoryWaiting> deferred = new TreeSet<>(MemoryWaiting.DUE_ORDER);
    final Map<JobId, MemoryWaiting> waiting = new HashMap<>();
    private final Map<JobId, Lease> leases = new LinkedHashMap<>();
    private final MemoryParked parked;
    private final MemoryRetention retention;
    final MemoryStories stories;

    private long lastToken;

    MemoryTables(InstantSource time) {
        this.time = time;
        this.nodes = new MemoryNodes(time);
        this.keys = new MemoryKeys(this::goOn);
        this.runs = new MemoryRuns(time);
        this.parked = new MemoryParked(jobs, nodes);
        this.stories = new MemoryStories(jobs, history, runs, keys);
        this.retention = new MemoryRetention(jobs, history, runs);
        lane(Lane.DEFAULT);
    }

    Set<JobId> insert(List<NewJob> batch) {
        Set<JobId> existing = new LinkedHashSet<>();
        Instant now = time.instant();
        for (NewJob fresh : batch) {
            if (jobs.containsKey(fresh.id())) {
                existing.add(fresh.id());
                continue;
            }
            Instant dueAt = fresh.due().from(now);
            lane(fresh.lane());
            Job job = new Job(fresh.id(), fresh.invocation(), fresh.traits(), now, 0, new JobState.Enqueued(now));
            place(job, dueAt, now);
        }
        return existing;
    }

    /** A job that waits takes over the call, the traits and the time of another, with all its attempts before it. */
    void replace(JobId id, NewJob by) {
        Instant now = time.instant();
        Job before = job(id);
        leave(id);
        end(before, now);
        JobState waits = new JobState.Enqueued(now);
        place(
                new Job(id, by.invocation(), by.traits(), before.createdAt(), 0, waits),
                by.due().from(now),
                now);
    }

    List<Lease> insertLeased(NodeId node, List<NewJob> batch) {
        List<Lease> born = new ArrayList<>();
        long token = ++lastToken;
        Instant now = time.instant();
        for (NewJob fresh : batch) {
            lane(fresh.lane());
            if (!jobs.containsKey(fresh.id())) {
                Job job = new Job(
                        fresh.id(), fresh.invocation(), fresh.traits(), now, 1, new JobState.Processing(now, node));
                Lease lease = new Lease(job, token);
                jobs.put(job.id(), job);
                leases.put(job.id(), lease);
                born.add(lease);
            }
        }
        return born;
    }

    Promotion promote(int max) {
        Instant now = time.instant();
        int moved = 0;
        while (moved < max && !deferred.isEmpty() && !deferred.first().at().isAfter(now)) {
            MemoryWaiting due = deferred.pollFirst();
            waiting.remove(due.id());
            // one that has a key was deferred with its slot
            enqueue(enqueued(job(due.id()), now), due.at());
            moved++;
        }
        for (JobId id : keys.takeDue(now, max - moved)) {
            keys.join(enqueued(job(id), now), now);
            moved++;
        }
        moved += keys.wake(now);
        return new Promotion(moved, untilDue());
    }

    /** How long until something that waits for its time may go on; null if nothing waits. */
    @Nullable
    Duration untilDue() {
        Instant next = keys.next();
        if (!deferred.isEmpty() && (next == null || deferred.first().at().isBefore(next))) {
            next = deferred.first().at();
        }
        Duration until = next == null ? null : Duration.between(time.instant(), next);
        return until != null && until.isNegative() ? Duration.ZERO : until;
    }

    List<Lease> claim(NodeId node, Lane lane, int max) {
        List<Lease> taken = new ArrayList<>();
        long token = ++lastToken;
        Instant now = time.instant();
        TreeSet<MemoryWaiting> waits = ready.getOrDefault(lane, new TreeSet<>());
        while (taken.size() < max && !waits.isEmpty()) {
            MemoryWaiting due = waits.pollFirst();
            waiting.remove(due.id());
            Job before = job(due.id());
            Job mine = move(before, new JobState.Processing(now, node), before.attempt() + 1);
            Lease lease = new Lease(mine, token, due.at());
            leases.put(due.id(), lease);
            taken.add(lease);
        }
        return taken;
    }

    Set<Lane> lanes() {
        return ready.keySet();
    }

    void know(Lane lane) {
        lane(lane);
    }

    /** What may run now in a lane, the next one first. */
    Stream<Head> waiting(Lane lane) {
        return lane(lane).stream().map(due -> new Head(lane, due.priority(), due.at()));
    }

    /** What may run now in a lane, which is known from now on. */
    private TreeSet<MemoryWaiting> lane(Lane lane) {
        return ready.computeIfAbsent(lane, unseen -> new TreeSet<>(MemoryWaiting.READY_ORDER));
    }

    List<Lease> leases(Predicate<Lease> which, int max) {
        return leases.values().stream().filter(which).limit(max).toList();
    }

    boolean isHeld(RunId run) {
        Lease held = leases.get(run.job());
        return held != null && held.token() == run.token();
    }

    WriteResult record(Ending ending) {
        Lease mine = ending.lease();
        JobId id = mine.job().id();
        Lease held = leases.get(id);
        if (held == null || held.token() != mine.token()) {
            return history.tells(id, mine.token(), ending.event()) ? WriteResult.WRITTEN : WriteResult.STALE;
        }
        leases.remove(id);
        Instant now = time.instant();
        Job job = held.job();
        if (ending.event() == Event.NODE_LOST) {
            runs.ask(held);
        }
        if (ending instanceof Ending.Complete done) {
            end(move(job, new JobState.Succeeded(now, done.ranFor()), job.attempt()), now);
            history.tell(now, held, Event.COMPLETED, StateName.SUCCEEDED, done.ranFor(), null);
            runs.returned(RunId.of(held), done.result());
        } else if (ending instanceof Ending.Snooze snooze) {
            Job back = move(job, job.state(), job.attempt() - 1);
            retry(back, now.plus(snooze.delay()), now);
            history.tell(now, held, Event.SNOOZED, StateName.SCHEDULED, snooze.ranFor(), null);
        } else if (ending instanceof Ending.Retry retry) {
            retry(job, now.plus(retry.delay()), now);
            history.tell(now, held, retry.event(), StateName.SCHEDULED, retry.ranFor(), retry.why());
        } else if (ending instanceof Ending.Fail fail) {
            end(move(job, new JobState.Failed(now, fail.why()), job.attempt()), now);
            history.tell(now, held, fail.event(), StateName.FAILED, fail.ranFor(), fail.why());
        } else if (ending instanceof Ending.Park park) {
            move(job, new JobState.Parked(now, park.why().message()), job.attempt() - 1);
            park(job, new MemoryParked.By(held.node(), park.known(), now));
            history.tell(now, held, Event.NOT_RUNNABLE, StateName.PARKED, null, park.why());
        } else if (ending instanceof Ending.GiveBack back) {
            enqueue(move(job, new JobState.Enqueued(now), job.attempt() - 1), mine.dueSince());
            if (back.ranFor() != null) {
                history.tell(now, held, Event.STOPPED, StateName.ENQUEUED, back.ranFor(), null);
            }
        }
        return WriteResult.WRITTEN;
    }

    Set<String> parkedTargets(NodeId node, Set<Lane> lanes) {
        return parked.thatMayBeTried(node, lanes)
                .map(job -> job.invocation().target())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    int unpark(NodeId node, String target, Set<Lane> lanes, int max) {
        List<Job> back = parked.thatMayBeTried(node, lanes)
                .filter(job -> job.invocation().target().equals(target))
                .limit(max)
                .toList();
        Instant now = time.instant();
        for (Job job : back) {
            parked.remove(job.id());
            comeBack(enqueued(job, now), now);
        }
        return back.size();
    }

    WriteResult cancel(JobId id, OperatorNote by) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (!job.state().name().canBecome(StateName.CANCELLED)) {
            return new WriteResult.Stale(job.state().name());
        }
        Lease held = leases.get(id);
        if (held != null) {
            runs.ask(held);
        }
        leave(id);
        Instant now = time.instant();
        end(move(job, new JobState.Cancelled(now, by.by(), by.why()), job.attempt()), now);
        tell(now, job, Event.CANCELLED, StateName.CANCELLED, by);
        return WriteResult.WRITTEN;
    }

    WriteResult runAgain(JobId id, OperatorNote by) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        if (!job.state().name().isFinal() && job.state().name() != StateName.PARKED) {
            return new WriteResult.Stale(job.state().name());
        }
        leave(id);
        Instant now = time.instant();
        Job again = move(job, new JobState.Enqueued(now), 0);
        if (job.state().name() == StateName.PARKED) {
            comeBack(again, now);
        } else {
            place(again, now, now);
        }
        tell(now, job, Event.RUN_AGAIN, StateName.ENQUEUED, by);
        return WriteResult.WRITTEN;
    }

    Optional<JobState> state(JobId id) {
        return Optional.ofNullable(jobs.get(id)).map(Job::state);
    }

    /** Every job that is kept. */
    Collection<Job> all() {
        return jobs.values();
    }

    /** See {@link MemoryRetention}. */
    Retention.Step retire(RetentionSettings settings, int max) {
        return retention.step(settings, max, time.instant());
    }

    /** Takes the job out of wherever it waits. */
    void leave(JobId id) {
        MemoryWaiting waits = waiting.remove(id);
        if (waits != null) {
            lane(waits.lane()).remove(waits);
            deferred.remove(waits);
        }
        leases.remove(id);
        parked.remove(id);
    }

    /** Places a job that holds no slot of a key. */
    void place(Job job, Instant dueAt, Instant now) {
        boolean keyed = job.traits().key() != null;
        if (dueAt.isAfter(now)) {
            if (keyed) {
                keys.waitUntil(move(job, new JobState.Scheduled(now, dueAt), job.attempt()), dueAt);
            } else {
                defer(job, dueAt, now);
            }
        } else if (keyed) {
            keys.join(enqueued(job, now), now);
        } else {
            enqueue(enqueued(job, now), dueAt);
        }
    }

    /** A job whose key has room goes to the queue. */
    private void goOn(JobId id) {
        enqueue(job(id), time.instant());
    }

    private void retry(Job job, Instant dueAt, Instant now) {
        KeyRule rule = job.traits().key();
        if (rule == null || rule.isHeldThroughout()) {
            defer(job, dueAt, now);
        } else {
            keys.leave(job, now);
            keys.waitUntil(move(job, new JobState.Scheduled(now, dueAt), job.attempt()), dueAt);
        }
    }

    private void park(Job job, MemoryParked.By by) {
        parked.put(job.id(), by);
        KeyRule rule = job.traits().key();
        if (rule != null && !rule.isHeldThroughout()) {
            keys.leave(job, by.at());
            keys.putAside(job);
        }
    }

    /** A job that was parked waits again: where it was if it has kept its slot. */
    private void comeBack(Job job, Instant now) {
        if (keys.has(job.id())) {
            keys.takeBack(job.id());
            keys.join(job, now);
        } else {
            enqueue(job, now);
        }
    }

    void end(Job job, Instant now) {
        if (job.traits().key() != null) {
            keys.leave(job, now);
        }
    }

    private Job enqueued(Job job, Instant now) {
        return move(job, new JobState.Enqueued(now), job.attempt());
    }

    private void defer(Job job, Instant dueAt, Instant now) {
        move(job, new JobState.Scheduled(now, dueAt), job.attempt());
        MemoryWaiting waits = new MemoryWaiting(job.id(), job.traits().lane(), job.priority(), dueAt);
        deferred.add(waits);
        waiting.put(job.id(), waits);
    }

    void enqueue(Job job, Instant at) {
        MemoryWaiting waits = new MemoryWaiting(job.id(), job.traits().lane(), job.priority(), at);
        lane(waits.lane()).add(waits);
        waiting.put(job.id(), waits);
    }

    Job move(Job job, JobState next, int attempt) {
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

    private void tell(Instant now, Job job, Event event, StateName next, OperatorNote by) {
        history.tell(++lastToken, now, job, event, next, by);
    }
}
