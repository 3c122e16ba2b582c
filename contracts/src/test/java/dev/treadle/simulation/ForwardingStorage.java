package dev.treadle.simulation;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
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
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.admin.JobSearch;
import dev.treadle.storage.admin.Minutes;
import dev.treadle.storage.admin.Operators;
import dev.treadle.storage.admin.QueueStorage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A storage in front of another one; override a method to change one call, {@link #call} to change all. */
class ForwardingStorage implements AdminStorage {
    protected final StorageProvider inner;

    ForwardingStorage(StorageProvider inner) {
        this.inner = inner;
    }

    protected <T> T call(Op op, Supplier<T> real) {
        return real.get();
    }

    @Override
    public Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act) {
        return call(Op.INSERT, () -> inner.insert(jobs, act));
    }

    @Override
    public List<Lease> insertLeased(NodeId node, List<NewJob> jobs) {
        return call(Op.INSERT_LEASED, () -> inner.insertLeased(node, jobs));
    }

    @Override
    public Promotion promote(int max) {
        return call(Op.PROMOTE, () -> inner.promote(max));
    }

    @Override
    public PendingWork outlook(NodeId node) {
        return call(Op.OUTLOOK, () -> inner.outlook(node));
    }

    @Override
    public List<Lease> claim(NodeId node, Lane lane, int max) {
        return call(Op.CLAIM, () -> inner.claim(node, lane, max));
    }

    @Override
    public List<Lease> leasesOf(NodeId node, Set<RunId> known) {
        return call(Op.LEASES_OF, () -> inner.leasesOf(node, known));
    }

    @Override
    public List<WriteResult> record(List<Transition> endings) {
        return call(Op.RECORD, () -> inner.record(endings));
    }

    @Override
    public void heartbeat(NodeInfo node) {
        call(Op.HEARTBEAT, () -> {
            inner.heartbeat(node);
            return true;
        });
    }

    @Override
    public List<NodeBeat> beats() {
        return call(Op.BEATS, inner::beats);
    }

    @Override
    public boolean gone(NodeId node, @Nullable NodeBeat last) {
        return call(last == null ? Op.LEAVE : Op.BURY, () -> inner.gone(node, last));
    }

    @Override
    public List<Lease> orphans(NodeId asker, int max) {
        return call(Op.ORPHANS, () -> inner.orphans(asker, max));
    }

    @Override
    public List<WriteResult> rescue(List<Transition> endings) {
        return call(Op.RESCUE, () -> inner.rescue(endings));
    }

    @Override
    public Set<String> parkedTargets(NodeId node, Set<Lane> lanes) {
        return call(Op.PARKED_TARGETS, () -> inner.parkedTargets(node, lanes));
    }

    @Override
    public int unpark(NodeId node, String target, Set<Lane> lanes, int max) {
        return call(Op.UNPARK, () -> inner.unpark(node, target, lanes, max));
    }

    @Override
    public List<WriteResult> act(JobAction action, OperatorNote note, List<JobId> ids, @Nullable OperatorAct act) {
        return call(action == JobAction.CANCEL ? Op.CANCEL : Op.RUN_AGAIN, () -> inner.act(action, note, ids, act));
    }

    @Override
    public RecurringStorage recurring() {
        return new ForwardingRecurring(inner.recurring(), this::call);
    }

    @Override
    public JobQueries queries() {
        return inner.queries();
    }

    @Override
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        return inner.insertUnique(job, asked);
    }

    @Override
    public RunStorage runs() {
        return new ForwardingRuns(inner.runs(), this::call);
    }

    @Override
    public @Nullable String forgetUnneeded(String after) {
        return inner.forgetUnneeded(after);
    }

    @Override
    public RetentionStep deleteEnded(NodeId node, RetentionSettings settings, int max) {
        return call(Op.RETAIN, () -> inner.deleteEnded(node, settings, max));
    }

    @Override
    public List<Head> heads() {
        return call(Op.HEADS, inner::heads);
    }

    @Override
    public QueueStorage queues() {
        return new ForwardingQueues(this, AdminStorage.of(inner).queues());
    }

    @Override
    public Minutes minutes() {
        return AdminStorage.of(inner).minutes();
    }

    @Override
    public JobSearch search() {
        return AdminStorage.of(inner).search();
    }

    @Override
    public Operators operators() {
        return AdminStorage.of(inner).operators();
    }

    @Override
    public String description() {
        return inner.description();
    }
}
