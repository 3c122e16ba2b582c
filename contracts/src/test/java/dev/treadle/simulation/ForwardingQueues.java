package dev.treadle.simulation;

import dev.treadle.job.Due;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.QueueState;
import dev.treadle.storage.PendingWork.LaneState;
import dev.treadle.storage.admin.QueueStorage;
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
        return inner.lanes();
    }

    @Override
    public void pause(String queue, OperatorNote note, @Nullable Due until, @Nullable OperatorAct act) {
        way.call(Op.PAUSE, () -> {
            inner.pause(queue, note, until, act);
            return true;
        });
    }

    @Override
    public boolean resume(String queue, OperatorNote note, @Nullable OperatorAct act) {
        return way.call(Op.RESUME, () -> inner.resume(queue, note, act));
    }

    @Override
    public List<QueueState> states() {
        return inner.states();
    }
}
