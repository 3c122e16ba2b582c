package dev.treadle.simulation;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NotesPage;
import dev.treadle.storage.NotesUpdate;
import dev.treadle.storage.RunStorage;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The port of runs, by way of whatever happens to the calls of its storage. */
class ForwardingRuns implements RunStorage {
    protected final RunStorage inner;
    private final Caller caller;

    /** What happens to a call. */
    interface Caller {
        <T> T call(Op op, Supplier<T> real);
    }

    ForwardingRuns(RunStorage inner, Caller caller) {
        this.inner = inner;
        this.caller = caller;
    }

    @Override
    public List<StopRequest> stopRequests(@Nullable NodeId node) {
        return node == null ? inner.stillRunning() : caller.call(Op.STOP_REQUESTS, () -> inner.stopRequests(node));
    }

    @Override
    public void ended(Collection<RunId> runs) {
        caller.call(Op.RUNS_ENDED, () -> {
            inner.ended(runs);
            return true;
        });
    }

    @Override
    public void tell(List<NotesUpdate> told) {
        caller.call(Op.TELL, () -> {
            inner.tell(told);
            return true;
        });
    }

    @Override
    public Optional<NotesPage> notes(JobId id, NotesPage.@Nullable Place after, int max) {
        return inner.notes(id, after, max);
    }

    @Override
    public List<JobStep> steps(JobId job, int from, int max) {
        return caller.call(Op.STEPS, () -> inner.steps(job, from, max));
    }

    @Override
    public StepAnswer recordStep(RunId run, NewStep step) {
        return caller.call(Op.RECORD_STEP, () -> inner.recordStep(run, step));
    }

    @Override
    public GateStorage gates() {
        return new ForwardingGates(inner.gates(), caller);
    }

    @Override
    public Map<JobId, Completion> endings(Collection<JobId> ids) {
        return inner.endings(ids);
    }
}
