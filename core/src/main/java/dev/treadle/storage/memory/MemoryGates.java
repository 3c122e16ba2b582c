package dev.treadle.storage.memory;

import dev.treadle.job.AfterRule;
import dev.treadle.job.Due;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobState;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.Trigger;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.storage.admin.JobSearch.EventSeen;
import dev.treadle.storage.admin.JobSearch.GateSeen;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The port of gates, over memory. */
final class MemoryGates implements GateStorage {
    private final MemoryTables tables;
    private final ReentrantLock lock;
    private final InstantSource time;
    private final MemoryOperators operators;
    /** Guarded by {@link #lock}, like the next. */
    private final Map<GateId, MemoryGate> gates;

    private final Set<GateId> news;

    /** What is kept of gates. Guarded by the lock of its storage. */
    static final class Rows {
        private final Map<GateId, MemoryGate> gates = new HashMap<>();
        private final Map<JobId, Set<GateId>> byWaiter = new HashMap<>();
        private final Set<GateId> news = new LinkedHashSet<>();
        private final Map<JobId, Map<String, String>> events = new HashMap<>();
        final MemoryDeadlines deadlines = new MemoryDeadlines();
        final MemoryFollowers followers = new MemoryFollowers();

        /** Keeps what a new job runs after, if it runs after others. */
        void follow(NewJob fresh) {
            if (fresh.due() instanceof Due.AfterJobs after) {
                followers.add(fresh.id(), after);
                MemoryGate entry = entry(Gate.after(fresh.id(), after.jobs().size()));
                entry.awaitsJobs = true;
                news.add(entry.gate.id());
            }
        }

        /** Counts what a transition changes at the gate of its job, and has the gates looked at that the job waits at. */
        void count(Transition change) {
            GateId id = change.from().traits().gate();
            Gate.Count count = id == null ? Gate.Count.NONE : Gate.Count.of(change);
            MemoryGate entry = id == null ? null : gates.get(id);
            if (entry != null && count != Gate.Count.NONE) {
                entry.gate = entry.gate.plus(count);
                news.add(entry.gate.id());
            }
            followers.changed(change);
            followers.of(change.job()).forEach(waiter -> news.add(GateId.after(waiter)));
            StateName next = change.to().state();
            if (next == StateName.WAITING || next == StateName.FAILED || next == StateName.CANCELLED) {
                news.addAll(of(change.job()));
            }
            if (next == StateName.FAILED || next == StateName.CANCELLED) {
                of(change.job())
                        .forEach(mine -> Objects.requireNonNull(gates.get(mine)).cancelUnlessComplete());
            }
        }

        Set<GateId> of(JobId waiter) {
            return byWaiter.getOrDefault(waiter, Set.of());
        }

        /** Forgets the gates of a job that is kept no longer. */
        void forget(JobId waiter) {
            of(waiter).forEach(gates::remove);
            news.removeAll(of(waiter));
            byWaiter.remove(waiter);
            events.remove(waiter);
            followers.forget(waiter);
        }

        boolean anyNews(Instant now) {
            return !news.isEmpty()
                    || deadlines.isAnyOver(now)
                    || gates.values().stream().anyMatch(entry -> entry.isOverdue(now));
        }

        /** Forgets what has come for a job that begins anew, and that it waited for it. */
        void forgetEvents(JobId waiter) {
            events.remove(waiter);
            for (GateId id : List.copyOf(of(waiter))) {
                if (Objects.requireNonNull(gates.get(id)).until != null) {
                    gates.remove(id);
                    of(waiter).remove(id);
                }
            }
        }

        @Nullable
        String event(JobId job, String name) {
            return events.getOrDefault(job, Map.of()).get(name);
        }

        /** Whose gate it is, if it is there: while that job has not ended, those it counts are kept. */
        @Nullable
        JobId waiterOf(GateId id) {
            MemoryGate entry = gates.get(id);
            return entry == null ? null : entry.gate.waiter();
        }

        /** The gates of a job as people see them, in no order. */
        List<GateSeen> seen(JobId waiter) {
            return of(waiter).stream()
                    .map(id -> seen(Objects.requireNonNull(gates.get(id))))
                    .toList();
        }

        private GateSeen seen(MemoryGate entry) {
            Gate gate = entry.gate;
            boolean here = event(gate.waiter(), gate.name()) != null;
            EventSeen event = entry.until == null
                    ? null
                    : new EventSeen(entry.type, entry.until, entry.awaitsEvent, here, entry.over);
            AfterRule after = entry.awaitsJobs ? followers.rule(gate.waiter()) : null;
            return new GateSeen(gate, entry.awaited, after, event);
        }

        /** How many jobs were spawned at a gate. */
        long spawned(GateId id) {
            MemoryGate entry = gates.get(id);
            return entry == null ? 0 : entry.gate.spawned();
        }

        private MemoryGate entry(Gate fresh) {
            byWaiter.computeIfAbsent(fresh.waiter(), unseen -> new LinkedHashSet<>())
                    .add(fresh.id());
            return gates.computeIfAbsent(fresh.id(), unseen -> new MemoryGate(fresh));
        }
    }

    MemoryGates(MemoryTables tables, ReentrantLock lock, InstantSource time, MemoryOperators operators) {
        this.tables = tables;
        this.lock = lock;
        this.time = time;
        this.operators = operators;
        this.gates = tables.gates.gates;
        this.news = tables.gates.news;
    }

    @Override
    public Optional<Gate> find(GateId id) {
        return locked(() -> Optional.ofNullable(gates.get(id)).map(entry -> entry.gate));
    }

    @Override
    public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
        return locked(() -> {
            if (tables.held(run) == null) {
                return new Answer.LeaseLost();
            }
            MemoryGate entry = tables.gates.entry(Gate.fresh(run.job(), name));
            if (entry.gate.spawned() == from && entry.gate.need() == null) {
                tables.insert(children);
                entry.gate = entry.gate.withSpawned(from + children.size(), last);
                // its job was run again: what is spawned now is waited for
                entry.cancelledTo = -1;
            }
            return new Answer.Written(entry.gate);
        });
    }

    @Override
    public Answer batch(NewJob batch, long from, List<NewJob> jobs, boolean last) {
        return locked(() -> {
            MemoryGate entry = gates.get(GateId.of(batch.id(), Gate.BATCH));
            if (entry == null && tables.insert(List.of(batch)).isEmpty()) {
                entry = tables.gates.entry(Gate.fresh(batch.id(), Gate.BATCH));
                entry.awaited = JoinRule.ALL_END;
            }
            if (entry == null) {
                return new Answer.LeaseLost();
            }
            if (entry.gate.need() == null) {
                if (tables.state(batch.id()).map(JobState::name).orElse(null) != StateName.WAITING) {
                    return new Answer.LeaseLost();
                }
                if (entry.gate.spawned() == from) {
                    tables.insert(jobs);
                    entry.gate = entry.gate.withSpawned(from + jobs.size(), last);
                    news.add(entry.gate.id());
                }
            }
            return new Answer.Written(entry.gate);
        });
    }

    @Override
    public Answer await(RunId run, String name, JoinRule rule) {
        return locked(() -> {
            Lease held = tables.held(run);
            if (held == null) {
                return new Answer.LeaseLost();
            }
            awaitNothing(run.job());
            MemoryGate entry = tables.gates.entry(Gate.fresh(run.job(), name));
            entry.awaited = rule;
            return new Answer.Written(entry.gate);
        });
    }

    private void awaitNothing(JobId waiter) {
        for (GateId id : tables.gates.of(waiter)) {
            MemoryGate entry = Objects.requireNonNull(gates.get(id));
            entry.awaited = null;
            entry.awaitsEvent = false;
            entry.awaitsJobs = false;
        }
    }

    @Override
    public EventAnswer awaitEvent(RunId run, String name, String type, Duration patience) {
        return locked(() -> {
            if (tables.held(run) == null) {
                return new EventAnswer.LeaseLost();
            }
            MemoryGate entry = tables.gates.entry(Gate.fresh(run.job(), name));
            Instant until = entry.until == null ? time.instant().plus(patience) : entry.until;
            entry.until = until;
            entry.type = type;
            String value = tables.gates.event(run.job(), name);
            if (value != null && !entry.over) {
                return new EventAnswer.Here(value);
            }
            entry.over |= !until.isAfter(time.instant());
            awaitNothing(run.job());
            entry.awaitsEvent = !entry.over;
            return entry.over ? new EventAnswer.Over() : new EventAnswer.NotYet();
        });
    }

    @Override
    public WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act) {
        return locked(() -> {
            StateName state = tables.state(job).map(JobState::name).orElse(null);
            if (state == null) {
                return WriteResult.MISSING;
            }
            MemoryGate entry = gates.get(GateId.of(job, name));
            if (state.isFinal() || entry != null && entry.over || tables.gates.event(job, name) != null) {
                return new WriteResult.Stale(state);
            }
            tables.gates.events.computeIfAbsent(job, unseen -> new HashMap<>()).put(name, value);
            news.add(GateId.of(job, name));
            if (act != null) {
                operators.note(act, 1);
            }
            return WriteResult.WRITTEN;
        });
    }

    @Override
    public Opening open(int max) {
        return locked(() -> {
            Instant now = time.instant();
            gates.values().stream().filter(entry -> entry.isOverdue(now)).forEach(entry -> news.add(entry.gate.id()));
            int resumed = 0;
            for (GateId id : news.stream().limit(max).toList()) {
                news.remove(id);
                MemoryGate entry = gates.get(id);
                resumed += entry == null ? 0 : look(entry);
            }
            return new Opening(tables.gates.deadlines.expire(tables, now, max) || !news.isEmpty(), resumed);
        });
    }

    /** Looks at the gate of a job that runs after others. */
    private int lookAfter(MemoryGate entry, AfterRule rule) {
        JobId waiter = entry.gate.waiter();
        Gate.Ends ends = tables.gates.followers.ends(waiter, tables.jobs);
        entry.gate = entry.gate.standing(ends);
        boolean waits =
                entry.awaitsJobs && tables.state(waiter).map(JobState::name).orElse(null) == StateName.WAITING;
        Gate.Verdict verdict = waits ? ends.under(rule) : Gate.Verdict.WAIT;
        if (verdict == Gate.Verdict.CANCEL) {
            tables.change(waiter, Trigger.CANCEL, Details.of(Gate.noteOfCancelled(rule)));
        } else if (verdict == Gate.Verdict.GO) {
            tables.change(waiter, Trigger.RESUME, Details.NONE);
        }
        entry.awaitsJobs &= verdict == Gate.Verdict.WAIT;
        return verdict == Gate.Verdict.GO ? 1 : 0;
    }

    private int look(MemoryGate entry) {
        Gate gate = entry.gate;
        AfterRule after = gate.isAfter() ? tables.gates.followers.rule(gate.waiter()) : null;
        if (after != null) {
            return lookAfter(entry, after);
        }
        StateName waiter = tables.state(gate.waiter()).map(JobState::name).orElse(null);
        JoinRule rule = entry.awaited;
        int resumed = 0;
        if (waiter == StateName.WAITING && rule != null && gate.isOpen(rule)) {
            tables.change(gate.waiter(), Trigger.RESUME, Details.NONE);
            entry.awaited = null;
            resumed = 1;
            if (gate.cancelsRest(rule)) {
                entry.cancelledTo = 0;
            }
        } else if (waiter == StateName.WAITING && entry.awaitsEvent && hasCome(entry)) {
            tables.change(gate.waiter(), Trigger.RESUME, Details.NONE);
            entry.awaitsEvent = false;
            resumed = 1;
        }
        if (waiter != null && waiter.isFinal()) {
            entry.awaitsEvent = false;
        }
        if (entry.cancelledTo >= 0 && entry.cancelledTo < gate.spawned()) {
            cancel(entry);
        }
        return resumed;
    }

    private boolean hasCome(MemoryGate entry) {
        return entry.isOverdue(time.instant()) || tables.gates.event(entry.gate.waiter(), entry.gate.name()) != null;
    }

    private void cancel(MemoryGate entry) {
        long to = Math.min(entry.gate.spawned(), entry.cancelledTo + TransactionalStorage.ACT_MAX);
        List<JobId> children = new ArrayList<>();
        for (long child = entry.cancelledTo; child < to; child++) {
            children.add(entry.gate.id().child(child));
        }
        entry.cancelledTo = to;
        OperatorNote note = Gate.noteOfCancelled(entry.gate);
        children.forEach(id -> tables.change(id, Trigger.CANCEL, Details.of(note)));
        if (to < entry.gate.spawned()) {
            news.add(entry.gate.id());
        }
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
