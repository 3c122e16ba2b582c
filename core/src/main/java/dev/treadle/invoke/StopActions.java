package dev.treadle.invoke;

import dev.treadle.job.JobContext.StopAction;
import dev.treadle.storage.Leased;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what jobs wanted to be done when they are told to end, away from the loops that tell them. Thread-safe. */
public final class StopActions {
    private static final Logger LOG = LoggerFactory.getLogger(StopActions.class);

    private final Executor threads;

    /** @param threads lends a thread to each; never one that jobs run on, because those may all be taken */
    public StopActions(Executor threads) {
        this.threads = threads;
    }

    /** Does them all, each on its own. */
    public void run(Leased lease, List<StopAction> actions) {
        for (StopAction action : actions) {
            try {
                threads.execute(() -> runOne(lease, action));
            } catch (RejectedExecutionException e) {
                LOG.warn(
                        "Job {} is told to end and no thread is left for its onStop.",
                        lease.job().id(),
                        e);
            }
        }
    }

    private static void runOne(Leased lease, StopAction action) {
        try {
            action.run();
        } catch (Exception | Error e) {
            LOG.warn(
                    "What job {} wanted to be done on its end threw.",
                    lease.job().id(),
                    e);
        }
    }
}
