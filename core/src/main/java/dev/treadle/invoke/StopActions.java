package dev.treadle.invoke;

import dev.treadle.job.JobContext.StopAction;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.Lease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells attempts to end: runs their jobs' actions, away from the loops that stop them, and interrupts them after that.
 * Thread-safe.
 */
public final class StopActions {
    /** How long the interrupt waits for what the job wanted to be done before it, in milliseconds. */
    static final long BEFORE_INTERRUPT_MILLIS_MAX = 300;

    private static final Logger LOG = LoggerFactory.getLogger(StopActions.class);

    private final Executor threads;

    /** @param threads lends a thread to each; never one that jobs run on, because those may all be taken */
    public StopActions(Executor threads) {
        this.threads = threads;
    }

    /** Tells it to end, and why. */
    public void stop(Attempt attempt, StopReason why) {
        List<StopAction> actions = attempt.tellToEnd(why);
        if (actions.isEmpty()) {
            attempt.interrupt();
            return;
        }
        // why before the interrupt: it closes the socket that a virtual thread reads from, so that a statement could
        // not be
        // cancelled any more and would go on in the database
        CompletableFuture.allOf(actions.stream()
                        .map(action -> begun(attempt.lease(), action))
                        .toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, BEFORE_INTERRUPT_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .whenComplete((done, failed) -> attempt.interrupt());
    }

    /** Does what a job asked for when it had been told to end already. */
    void run(Lease lease, StopAction action) {
        begun(lease, action);
    }

    private CompletableFuture<?> begun(Lease lease, StopAction action) {
        try {
            return CompletableFuture.runAsync(() -> runOne(lease, action), threads);
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "Job {} is told to end and no thread is left for its onStop.",
                    lease.job().id(),
                    e);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static void runOne(Lease lease, StopAction action) {
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
