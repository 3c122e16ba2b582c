package dev.treadle.simulation;

import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JoinRule;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Gate;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The port of gates, by way of whatever happens to the calls of its storage. */
class ForwardingGates implements GateStorage {
    protected final GateStorage inner;
    private final ForwardingRuns.Caller caller;

    ForwardingGates(GateStorage inner, ForwardingRuns.Caller caller) {
        this.inner = inner;
        this.caller = caller;
    }

    @Override
    public Optional<Gate> find(GateId id) {
        return caller.call(Op.GATES, () -> inner.find(id));
    }

    @Override
    public Answer spawn(RunId run, String name, long from, List<NewJob> children, boolean last) {
        return caller.call(Op.SPAWN, () -> inner.spawn(run, name, from, children, last));
    }

    @Override
    public Answer batch(NewJob batch, long from, List<NewJob> jobs, boolean last) {
        return caller.call(Op.SPAWN, () -> inner.batch(batch, from, jobs, last));
    }

    @Override
    public Answer await(RunId run, String name, JoinRule rule) {
        return caller.call(Op.AWAIT, () -> inner.await(run, name, rule));
    }

    @Override
    public EventAnswer awaitEvent(RunId run, String name, String type, Duration patience) {
        return caller.call(Op.AWAIT, () -> inner.awaitEvent(run, name, type, patience));
    }

    @Override
    public WriteResult signal(JobId job, String name, String value, @Nullable OperatorAct act) {
        return caller.call(Op.SIGNAL, () -> inner.signal(job, name, value, act));
    }

    @Override
    public Opening open(int max) {
        return caller.call(Op.OPEN_GATES, () -> inner.open(max));
    }
}
