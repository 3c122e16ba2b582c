package dev.treadle.storage.memory;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Details;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.RetentionSettings;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.storage.JobQueries;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.PendingWork.Head;
import dev.treadle.storage.RecurringStorage;
import dev.treadle.storage.RunStorage;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.admin.Operators;
import dev.treadle.storage.admin.QueueStorage;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in the memory of this process: gone when it ends. For tests, for trying things out, and as the model that the
 * simulation breaks.
 */
public final class InMemoryStorageProvider implements AdminStorage {
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}. */
    private final MemoryTables tables;

    private final MemoryRecurring recurring;

    private final MemoryUnique unique;
    private final MemoryQueues queues;
    private final MemoryMinutes minutes = new MemoryMinutes(lock);
    private final MemoryOperators operators;
    private final InstantSource time;

    /** With the system's clock. */
    public InMemoryStorageProvider() {
        this(Clock.systemUTC());
    }

    /** With a clock of your own, as tests want it. */
    public InMemoryStorageProvider(InstantSource time) {
        this.tables = new MemoryTables(time);
        this.unique = new MemoryUnique(tables, time);
        this.operators = new MemoryOperators(lock, time);
        this.queues = new MemoryQueues(tables, operators, lock, time);
        this.recurring = new MemoryRecurring(tables, operators, time, lock);
        this.time = time;
    }

    @Override
    public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
        return locked(() -> {
            Set<JobId> existing = tables.insert(jobs);
            if (act != null) {
                operators.note(act, jobs.size());
            }
            return existing;
        });
    }

    @Override
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        return locked(() -> unique.insert(job, asked));
    }

    @Override
    public List<Lease> insertLeased(NodeId node, List<NewJob> jobs) {
        return locked(() -> tables.insertLeased(node, jobs));
    }

    @Override
    public Promotion promote(int max) {
        return locked(() -> tables.promote(max));
    }

    @Override
    public List<Lease> claim(NodeId node, Lane lane, int max) {
        return locked(() -> tables.claim(node, lane, max));
    }

    @Override
    public List<Lease> leasesOf(NodeId node, Set<RunId> known) {
        return locked(() -> tables.leases(
                lease -> lease.node().equals(node) && !known.contains(RunId.of(lease)), Integer.MAX_VALUE));
    }

    @Override
    public PendingWork outlook(NodeId node) {
        return locked(() -> {
            RecurringStorage.DueNow slots = recurring.due(1);
            return new PendingWork(
                    time.instant(),
                    queues.lanes(),
                    queues.heads(),
                    tables.untilDue(),
                    slots.found().isEmpty() ? slots.untilNext() : Duration.ZERO,
                    recurring.awaits(),
                    !tables.runs.stopRequests(node::equals).isEmpty(),
                    tables.gates.anyNews(time.instant()));
        });
    }

    @Override
    public List<Head> heads() {
        return queues.heads();
    }

    @Override
    public List<WriteResult> record(List<Transition> endings) {
        return locked(() -> {
            List<WriteResult> results = new ArrayList<>(endings.size());
            endings.forEach(ending -> results.add(tables.record(ending)));
            return results;
        });
    }

    @Override
    public void heartbeat(NodeInfo node) {
        locked(() -> {
            minutes.keep(node, time.instant());
            return tables.nodes.beat(node);
        });
    }

    @Override
    public List<NodeBeat> beats() {
        return locked(tables.nodes::beats);
    }

    @Override
    public boolean gone(NodeId node, @Nullable NodeBeat last) {
        return locked(() -> tables.nodes.gone(node, last));
    }

    @Override
    public List<Lease> orphans(NodeId asker, int max) {
        return locked(
                () -> tables.leases(lease -> !lease.node().equals(asker) && !tables.nodes.isThere(lease.node()), max));
    }

    @Override
    public List<WriteResult> rescue(List<Transition> endings) {
        return locked(() -> {
            List<WriteResult> results = new ArrayList<>(endings.size());
            for (Transition ending : endings) {
                boolean orphaned =
                        !tables.nodes.isThere(ending.lease().node()) && tables.isHeld(RunId.of(ending.lease()));
                results.add(orphaned ? tables.record(ending) : WriteResult.STALE);
            }
            return results;
        });
    }

    @Override
    public void tidy() {
        locked(() -> tables.nodes.forget(
                time.instant().minus(Minutes.KEPT),
                node -> !tables.leases(lease -> lease.node().equals(node), 1).isEmpty()));
    }

    @Override
    public Set<String> parkedTargets(NodeId node, Set<Lane> lanes) {
        return locked(() -> tables.parkedTargets(node, lanes));
    }

    @Override
    public int unpark(NodeId node, String target, Set<Lane> lanes, int max) {
        return locked(() -> tables.unpark(node, target, lanes, max));
    }

    @Override
    public List<WriteResult> act(JobAction action, OperatorNote note, List<JobId> ids, @Nullable OperatorAct act) {
        Details details = Details.of(note);
        return locked(() -> {
            List<WriteResult> results = ids.stream()
                    .map(id -> tables.change(id, action.trigger(), details))
                    .toList();
            if (act != null) {
                operators.note(act, (int) results.stream()
                        .filter(WriteResult.Written.class::isInstance)
                        .count());
            }
            return results;
        });
    }

    @Override
    public JobQueries queries() {
        return new MemoryQueries(tables, lock);
    }

    @Override
    public RunStorage runs() {
        return new MemoryRunStorage(tables, lock, time, operators);
    }

    @Override
    public @Nullable String forgetUnneeded(String after) {
        return locked(() -> {
            if (after.isEmpty()) {
                tables.runs.forget(node -> !tables.nodes.isThere(node));
            }
            return unique.forget(after);
        });
    }

    @Override
    public RetentionStep deleteEnded(NodeId node, RetentionSettings settings, int max) {
        return locked(() -> tables.retire(settings, max));
    }

    @Override
    public QueueStorage queues() {
        return queues;
    }

    @Override
    public RecurringStorage recurring() {
        return recurring;
    }

    @Override
    public Minutes minutes() {
        return minutes;
    }

    @Override
    public JobSearch search() {
        return new MemorySearch(tables, lock, time);
    }

    @Override
    public Operators operators() {
        return operators;
    }

    @Override
    public String description() {
        return "in memory (jobs are gone when this process ends)";
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
