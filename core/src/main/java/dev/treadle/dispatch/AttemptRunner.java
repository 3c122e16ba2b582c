package dev.treadle.dispatch;

import dev.treadle.dispatch.AttemptTask.Stage;
import dev.treadle.invoke.ChunkRule;
import dev.treadle.invoke.ForkThreads;
import dev.treadle.job.Failure;
import dev.treadle.job.RetryDecision;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job's thread does: run user code, decide the next state, hand the ending to the recorder, start the next waiting
 * job. Every lease that comes here is handed to the recorder in the end, whatever goes wrong. Thread-safe.
 */
final class AttemptRunner {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

    static final Outcome UNKNOWN = new Outcome.Threw(
            Duration.ZERO,
            Failure.because("Unknown", "The attempt ended in a way that could not be described."),
            RetryDecision.BY_POLICY);

    /** How often the decision is tried again when a class it needs cannot be linked. */
    private static final int LINK_TRIES_MAX = 3;

    private final LocalState local;
    private final Execution execution;
    private final PoolQueues.Starter start;
    private final Runnable roomForMore;
    private final Consumer<AttemptTask> run = this::run;
    private final Consumer<List<ChunkMember>> runChunk;

    /**
     * @param start       starts a job whose permits are taken
     * @param roomForMore run when a thread becomes free, because more jobs may wait in the storage
     */
    AttemptRunner(LocalState local, Execution execution, PoolQueues.Starter start, Runnable roomForMore) {
        this.local = local;
        this.execution = execution;
        this.start = start;
        this.roomForMore = roomForMore;
        this.runChunk = new ChunkRunner(local, execution, this)::run;
        NoMemory.prepare();
    }

    /** An attempt that this runs when an executor has a thread for it. */
    AttemptTask task(LocalQueue queue, Lease lease) {
        return new AttemptTask(run, queue, lease);
    }

    /** The same, which this runs together with others if the type of its job says so. */
    AttemptTask claimed(LocalQueue queue, Lease lease) {
        ChunkRule rule = execution.run().chunkRule(lease.job().invocation());
        return rule == null ? task(queue, lease) : new ChunkMember(runChunk, queue, lease, rule);
    }

    /** Lends the threads of a queue's executor to forks. */
    ForkThreads threads(LocalQueue queue) {
        return fork -> queue.pool().lend(fork, () -> forkEnded(queue));
    }

    /** Called by the executor's thread, through the task. */
    private void run(AttemptTask task) {
        LocalQueue queue = task.queue();
        // remains if even JobRun could not describe what happened, for example because it ran out of memory
        task.outcome(UNKNOWN);
        Object seen = null;
        try {
            local.inFlight().began(task);
            seen = started(task);
            task.outcome(execution.run().of(task.attempt(), threads(queue)));
        } finally {
            try {
                local.inFlight().ended(task);
                // an interrupt that was meant for this job must not reach the next job on this thread
                Thread.interrupted();
                local.queues().endedOne(queue, task.outcome());
            } finally {
                settle(task, seen);
            }
        }
    }

    /** A failure to report must not keep a job from running: this JVM may fail to link a class that reporting needs. */
    @Nullable
    Object started(AttemptTask task) {
        try {
            return execution.events().started(task.lease());
        } catch (LinkageError e) {
            return null;
        }
    }

    /** Takes each step even if the one before it fails: neither the lease nor the permits may stay here. */
    void settle(AttemptTask task, @Nullable Object seen) {
        try {
            giveBackHeld(task);
        } finally {
            Transition ending = handIn(task);
            try {
                local.queues().handOver(task.queue(), start);
            } finally {
                execution.events().finished(seen, ending);
                execution.failures().ended(ending);
            }
        }
    }

    /**
     * Hands a task that is {@link Stage#STARTING} to its executor.
     *
     * @return false if the executor rejected it; the caller must cancel it then, as after any exception
     */
    boolean handOver(AttemptTask task) {
        return task.handsOver() && execute(task);
    }

    /** Gives a task to its executor, possibly again. */
    boolean execute(AttemptTask task) {
        try {
            task.queue().pool().executor().execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "The executor rejected job {}. The job is given back to the storage.",
                    task.lease().job().id(),
                    e);
            return false;
        }
    }

    /** Gives back a job that its executor did not accept, unless it runs after all. The attempt does not count. */
    void cancel(AttemptTask task) {
        for (AttemptTask each : task.together()) {
            if (each.cancel()) {
                finish(each);
            }
        }
    }

    /** Gives back a job that waits for a permit, unless another thread is handling it. */
    void giveBackWaiting(AttemptTask task) {
        for (AttemptTask each : task.together()) {
            if (each.advance(Stage.WAITING, Stage.SETTLING)) {
                finish(each);
            }
        }
    }

    /** Ends a task that this thread is {@link Stage#SETTLING}. If it has not run, the job is given back uncounted. */
    void finish(AttemptTask task) {
        try {
            try {
                giveBackHeld(task);
            } finally {
                handIn(task);
            }
        } finally {
            // has no effect once the ending is handed in
            task.advance(Stage.SETTLING, Stage.ABANDONED);
        }
    }

    private void giveBackHeld(AttemptTask task) {
        if (task.holdsPermits()) {
            local.queues().giveBack(task.queue());
            task.permitsGivenBack();
        }
        while (task.holdsResources()) {
            try {
                local.gate().giveBack(task.lease());
                task.resourcesGivenBack();
            } catch (OutOfMemoryError e) {
                // nothing was given back, and no other thread will do it
                NoMemory.rest();
            }
        }
    }

    /**
     * Decides the ending and hands it to the recorder. Tries again as long as memory is short. Nothing is logged, since logging
     * needs memory too.
     */
    private Transition handIn(AttemptTask task) {
        int broken = 0;
        while (true) {
            try {
                Transition ending = task.ending();
                if (ending == null) {
                    ending = decide(task, broken > LINK_TRIES_MAX);
                    task.ending(ending);
                }
                if (task.outcome() instanceof Outcome.Committed) {
                    execution.recording().offerWritten(ending);
                } else {
                    execution.recording().offer(ending);
                }
                task.handedIn();
                return ending;
            } catch (OutOfMemoryError e) {
                NoMemory.rest();
            } catch (LinkageError e) {
                // a class or call site could not be linked for lack of memory; if that lasts, the job is given back
                NoMemory.rest();
                broken++;
            }
        }
    }

    private Transition decide(AttemptTask task, boolean uncounted) {
        Outcome outcome = task.outcome();
        return outcome == null || uncounted
                ? AttemptEnd.givenBack(task.lease())
                : execution
                        .next()
                        .after(task.lease(), outcome, execution.random().getAsDouble());
    }

    /** A thread that was lent to a fork is free again. */
    private void forkEnded(LocalQueue queue) {
        local.queues().handOver(queue, start);
        roomForMore.run();
    }
}
