package dev.treadle.engine;

import dev.treadle.job.JobId;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.ThreadStack;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.JobServer;
import dev.treadle.server.QueueStats;
import dev.treadle.storage.NodeInfo;
import java.util.List;

/** A server of one {@link Node}, which answers the questions about it. */
abstract class AbstractJobServer implements JobServer {
    /** The node whose turns this server takes. */
    abstract Node node();

    @Override
    public final NodeInfo self() {
        return node().self();
    }

    @Override
    public final int running() {
        return node().running();
    }

    @Override
    public final ConcurrencyLimit admitted() {
        return node().admitted();
    }

    @Override
    public final List<ResourceUse> resources() {
        return node().resources();
    }

    @Override
    public final List<QueueStats> queueStats() {
        return node().localQueues().queueStats();
    }

    @Override
    public final List<ThreadStack> stacksOf(JobId id) {
        return node().inFlight().stacksOf(id);
    }

    @Override
    public final int inFlight() {
        return node().inFlight().size();
    }
}
