package dev.treadle.simulation;

import dev.treadle.job.OperatorAct;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.storage.RecurringStorage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The recurring jobs of a storage, each call by way of the one in front of it. */
class ForwardingRecurring implements RecurringStorage {
    protected final RecurringStorage inner;
    private final Way way;

    /** How calls get through. */
    interface Way {
        <T> T call(Op op, Supplier<T> real);
    }

    ForwardingRecurring(RecurringStorage inner, Way way) {
        this.inner = inner;
        this.way = way;
    }

    @Override
    public List<RecurringJob> list(String from, int max) {
        return way.call(Op.RECURRING_FIND, () -> inner.list(from, max));
    }

    @Override
    public boolean write(RecurringJob job, @Nullable OperatorAct act) {
        return way.call(Op.RECURRING_WRITE, () -> inner.write(job, act));
    }

    @Override
    public DueNow due(int max) {
        return way.call(Op.RECURRING_DUE, () -> inner.due(max));
    }

    @Override
    public Set<String> advance(List<Advance> advances) {
        return way.call(Op.RECURRING_ADVANCE, () -> inner.advance(advances));
    }
}
