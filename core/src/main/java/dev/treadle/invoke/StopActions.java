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
 * Tells attempts to end. Runs the actions that their jobs registered, on threads of its own instead of the stopping
 * loops', and interrupts the attempts after that. Thread-safe.
 */
public final class StopActions {
    /** How long an interrupt waits for the job's action, in milliseconds. */
    static final long BEFORE_INTERRUPT_MILLIS_MAX = 300;

    private static final Logger LOG = LoggerFactory.getLogger(StopActions.class);

    private final Executor threads;

    /** @param threads run the actions; never the threads of jobs, because those may all be busy */
    public StopActions(Executor threads) {
        this.threads = threads;
    }

    /** Tells an attempt to end, and why. */
    public void stop(Attempt attempt, StopReason why) {
        List<StopAction> actions = attempt.tellToEnd(why);
        if (actions.isEmpty()) {
            attempt.interrupt();
            return;
        }
        // before the interrupt: that closes the socket that a virtual thread reads from, and then a statement can no
        // longer be cancelled and goes on in the database
        CompletableFuture.allOf(actions.stream()
                        .map(action -> begun(attempt.lease(), action))
                        .toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, BEFORE_INTERRUPT_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .whenComplete((done, failed) -> attempt.interrupt());
    }

    /** Runs an action that was registered after the job had been told to end. */
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
