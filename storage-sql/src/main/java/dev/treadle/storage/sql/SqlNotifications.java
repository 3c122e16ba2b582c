package dev.treadle.storage.sql;

import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.DueNotifications;
import dev.treadle.storage.sql.connections.SqlConnections;
import dev.treadle.storage.sql.portable.Notifier;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a database tells nodes; while one listens, the connections that a server needs are kept. Thread-safe. */
record SqlNotifications(SqlConnections connections, Notifier notifier) implements DueNotifications {
    @Override
    public Runnable listen(NodeId node, DueListener listener) {
        connections.serve();
        notifier.nodeIsHere(node);
        Runnable hearNoMore = notifier.listen(node, listener);
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                hearNoMore.run();
                connections.serveNoMore();
            }
        };
    }

    @Override
    public boolean areComplete() {
        return notifier.isListening();
    }

    @Override
    public void passOn(Lane lane) {
        notifier.jobDueElsewhere(lane);
    }
}
