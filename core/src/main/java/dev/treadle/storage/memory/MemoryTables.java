package dev.treadle.storage.memory;

import dev.treadle.job.Due;
import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Lifecycle;
import dev.treadle.lifecycle.Position;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Slot;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.StorageProvider.Promotion;
import dev.treadle.storage.StorageProvider.RetentionStep;
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
import java.util.Objects;
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
    final MemoryGates.Rows gates = new MemoryGates.Rows();
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

    /** Stands for no state: the job is on its way into its first one. */
    private static final JobState NEW = new JobState.Enqueued(Instant.EPOCH);

    private long lastToken;

    MemoryTables(InstantSource time) {
        this.time = time;
        this.nodes = new MemoryNodes(time);
        this.keys = new MemoryKeys(this::goOn);
        this.runs = new MemoryRuns(time);
        this.parked = new MemoryParked(jobs, nodes);
        this.stories = new MemoryStories(jobs, history, runs, keys);
        this.retention = new MemoryRetention(jobs, history, runs, gates);
        lane(Lane.DEFAULT);
    }

    Set<JobId> insert(List<NewJob> batch) {
        Set<JobId> existing = new LinkedHashSet<>();
        Instant now = time.instant();
        MemoryFollowers.mustFind(batch, jobs);
        for (NewJob fresh : batch) {
            if (jobs.containsKey(fresh.id())) {
                existing.add(fresh.id());
                continue;
            }
            know(fresh.lane());
            gates.deadlines.keep(fresh.id(), fresh.traits());
            jobs.put(fresh.id(), new Job(fresh.id(), fresh.invocation(), fresh.traits(), now, 0, NEW));
            Trigger trigger = Trigger.ofNew(fresh.due(), now);
            write(required(
                    Lifecycle.decide(fresh.id(), Position.ofNew(fresh.traits()), trigger, Details.NONE, fresh.due())));
            gates.follow(fresh);
        }
        return existing;
    }

    /** A job that waits takes over the call, the traits and the time of another, with all its attempts before it. */
    void replace(JobId id, NewJob by) {
        Instant now = time.instant();
        boolean later = by.due().from(now).isAfter(now);
        Transition replaced = Lifecycle.replace(id, position(job(id)), by.traits(), by.due(), later);
        if (replaced != null) {
            know(by.lane());
            leave(replaced, now);
            Job before = job(id);
            gates.deadlines.forget(id, before.traits());
            gates.deadlines.keep(id, by.traits());
            jobs.put(id, new Job(id, by.invocation(), by.traits(), before.createdAt(), 0, before.state()));
            arrive(replaced, now);
        }
    }

    List<Lease> insertLeased(NodeId node, List<NewJob> batch) {
        List<Lease> born = new ArrayList<>();
        long token = ++lastToken;
        Instant now = time.instant();
        for (NewJob fresh : batch) {
            know(fresh.lane());
            if (!jobs.containsKey(fresh.id())) {
                gates.deadlines.keep(fresh.id(), fresh.traits());
                Job unleased = new Job(fresh.id(), fresh.invocation(), fresh.traits(), now, 0, NEW);
                Transition started = required(
                        Lifecycle.decide(fresh.id(), Position.ofNew(fresh.traits()), Trigger.START, Details.NONE));
                born.add(lease(unleased, started, node, token, now));
            }
        }
        return born;
    }

    Promotion promote(int max) {
        Instant now = time.instant();
        int moved = 0;
        while (moved < max && !deferred.isEmpty() && !deferred.first().at().isAfter(now)) {
            change(deferred.first().id(), Trigger.PROMOTE, Details.NONE);
            moved++;
        }
        for (JobId id : keys.due(now, max - moved)) {
            change(id, Trigger.PROMOTE, Details.NONE);
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
            Job due = job(waits.first().id());
            Transition claimed = required(Lifecycle.decide(due.id(), position(due), Trigger.CLAIM, Details.NONE));
            leave(claimed, now);
            taken.add(lease(due, claimed, node, token, now));
        }
        return taken;
    }

    private Lease lease(Job job, Transition begun, NodeId node, long token, Instant now) {
        JobState running = new JobState.Processing(now, node);
        Lease lease = new Lease(
                put(job, running, begun.to().attempt()),
                token,
                begun.to().when().from(now));
        leases.put(job.id(), lease);
        return lease;
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
        return held(run) != null;
    }

    /** The lease of a run; null if it does not hold it any more. */
    @Nullable
    Lease held(RunId run) {
        Lease held = leases.get(run.job());
        return held != null && held.token() == run.token() ? held : null;
    }

    /** Writes how an attempt ended, if its lease still holds. */
    WriteResult record(Transition ended) {
        Lease mine = ended.lease();
        if (!isHeld(RunId.of(mine))) {
            return history.tells(mine.job().id(), mine.token(), ended.event())
                    ? WriteResult.WRITTEN
                    : WriteResult.STALE;
        }
        write(ended);
        return gates.followers.of(ended.job()).isEmpty() ? WriteResult.WRITTEN : WriteResult.FOLLOWED;
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
        back.forEach(job -> change(job.id(), Trigger.UNPARK, Details.NONE));
        return back.size();
    }

    /** Something happens to a job, if it may in the state in which the job is. */
    WriteResult change(JobId id, Trigger trigger, Details details) {
        Job job = jobs.get(id);
        if (job == null) {
            return WriteResult.MISSING;
        }
        Transition change = Lifecycle.decide(id, position(job), trigger, details);
        if (change == null) {
            return new WriteResult.Stale(job.state().name());
        }
        write(change);
        return WriteResult.WRITTEN;
    }

    private Position position(Job job) {
        MemoryWaiting waits = waiting.get(job.id());
        Lease lease = leases.get(job.id());
        Due when = Due.NOW;
        if (waits != null) {
            when = new Due.At(waits.at());
        } else if (lease != null) {
            when = new Due.At(lease.dueSince());
        }
        Slot slot = Slot.none(job.traits().key());
        boolean holds = slot == Slot.LACKING && !job.state().name().isFinal() && !keys.has(job.id());
        return new Position(job.state().name(), job.traits(), holds ? Slot.HELD : slot, job.attempt(), when);
    }

    Optional<JobState> state(JobId id) {
        return Optional.ofNullable(jobs.get(id)).map(Job::state);
    }

    /** Every job that is kept. */
    Collection<Job> all() {
        return jobs.values();
    }

    /** See {@link MemoryRetention}. */
    RetentionStep retire(RetentionSettings settings, int max) {
        return retention.step(settings, max, time.instant());
    }

    private void write(Transition change) {
        Instant now = time.instant();
        leave(change, now);
        arrive(change, now);
        gates.count(change);
    }

    /** Takes the job out of wherever it is, and its slot from it if it is to let go of that. */
    private void leave(Transition change, Instant now) {
        JobId id = change.job();
        MemoryWaiting waits = waiting.remove(id);
        if (waits != null) {
            lane(waits.lane()).remove(waits);
            deferred.remove(waits);
        }
        parked.remove(id);
        Lease held = leases.remove(id);
        if (held != null && change.stopsRun()) {
            runs.ask(held);
        }
        if (held != null && change.result() != null) {
            runs.returned(RunId.of(held), change.result());
        }
        if (change.trigger().forgetsSteps()) {
            runs.forgetSteps(id);
            gates.forgetEvents(id);
        }
        lastToken += history.tell(change, held, now, lastToken + 1);
        if (keys.has(id) || change.releasesSlot()) {
            keys.leave(job(id), now);
        }
    }

    /** Puts the job where it goes. */
    private void arrive(Transition change, Instant now) {
        Position to = change.to();
        StateName next = to.state();
        if (next == null) {
            forget(change.job());
            return;
        }
        Instant dueAt = to.when().from(now);
        Job job = put(job(change.job()), MemoryStates.after(change, next, dueAt, now), to.attempt());
        switch (next) {
            case ENQUEUED -> {
                if (to.isInKeyQueue()) {
                    keys.join(job, now);
                } else {
                    enqueue(job, dueAt);
                }
            }
            case SCHEDULED -> {
                if (to.slot() == Slot.LACKING) {
                    keys.waitUntil(job, dueAt);
                } else {
                    MemoryWaiting waits = MemoryWaiting.of(job, dueAt);
                    deferred.add(waits);
                    waiting.put(job.id(), waits);
                }
            }
            case PARKED -> {
                NodeId by = change.lease().node();
                parked.put(job.id(), new MemoryParked.By(by, change.details().known(), now));
                if (to.slot() == Slot.LACKING) {
                    keys.putAside(job);
                }
            }
            case WAITING -> {
                if (to.slot() == Slot.LACKING) {
                    keys.putAside(job);
                }
            }
            case PROCESSING, SUCCEEDED, FAILED, CANCELLED -> {
                // it waits nowhere
            }
        }
    }

    private void forget(JobId id) {
        jobs.remove(id);
        history.delete(id);
        runs.delete(id);
        gates.forget(id);
    }

    /** A job whose key has room goes to the queue. */
    private void goOn(JobId id) {
        enqueue(job(id), time.instant());
    }

    private void enqueue(Job job, Instant at) {
        MemoryWaiting waits = MemoryWaiting.of(job, at);
        lane(waits.lane()).add(waits);
        waiting.put(job.id(), waits);
    }

    private Job put(Job job, JobState next, int attempt) {
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

    /** A change that is always allowed: the tables know that the job is in a state for it. */
    private static Transition required(@Nullable Transition change) {
        return Objects.requireNonNull(change, "a table holds a job in a state that is not its own");
    }
}
