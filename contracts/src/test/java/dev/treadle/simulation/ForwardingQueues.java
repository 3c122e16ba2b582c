package dev.treadle.simulation;

import dev.treadle.job.Due;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.storage.QueueStorage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queues of a storage that stands in front of another one; its calls go the way of that storage's calls. */
class ForwardingQueues implements QueueStorage {
    protected final QueueStorage inner;
    private final ForwardingStorage way;

    ForwardingQueues(ForwardingStorage way, QueueStorage inner) {
        this.way = way;
        this.inner = inner;
    }

    @Override
    public List<LaneState> lanes() {
        return way.call(Op.LANES, inner::lanes);
    }

    @Override
    public List<Head> heads() {
        return way.call(Op.HEADS, inner::heads);
    }

    @Override
    public void pause(String queue, OperatorNote move, @Nullable Due until, @Nullable OperatorAct act) {
        way.call(Op.PAUSE, () -> {
            inner.pause(queue, move, until, act);
            return true;
        });
    }

    @Override
    public boolean resume(String queue, OperatorNote move, @Nullable OperatorAct act) {
        return way.call(Op.RESUME, () -> inner.resume(queue, move, act));
    }

    @Override
    public List<QueueState> states() {
        return inner.states();
    }
}
