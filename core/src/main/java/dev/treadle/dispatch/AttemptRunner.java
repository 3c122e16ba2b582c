package dev.treadle.dispatch;

import dev.treadle.dispatch.Dispatcher.Execution;
import dev.treadle.dispatch.Dispatcher.LocalState;
import dev.treadle.invoke.Attempt;
import dev.treadle.job.Failure;
import dev.treadle.job.RetryDecision;
import dev.treadle.outcome.Outcome;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a job's own thread does from begin to end: user code, the decision, the recorder, and the next job that waits. Each
 * lease that comes here is handed in at the end, whatever goes wrong between. Thread-safe.
 */
final class AttemptRunner {
    private static final Outcome UNSAID = new Outcome.Threw(
            Duration.ZERO,
            Failure.because("Unknown", "The attempt ended in a way that could not be described."),
            RetryDecision.BY_POLICY);

    /** How often the linking of a class that decides what follows is tried again, in tries. */
    private static final int LINK_TRIES_MAX = 3;

    private final LocalState desk;
    private final Execution engine;
    private final WorkerPool.Starter start;
    private final Runnable roomForMore;

    /**
     * @param start       starts a job whose permits are taken
     * @param roomForMore told when a thread has come free, in case more waits in the storage
     */
    AttemptRunner(LocalState desk, Execution engine, WorkerPool.Starter start, Runnable roomForMore) {
        this.desk = desk;
        this.engine = engine;
        this.start = start;
        this.roomForMore = roomForMore;
    }

    /** Both permits of the job are taken; they are given back when it has ended. */
    void run(LocalQueue line, Lease lease) {
        // stands if not even the border to user code could say what happened, as when memory ran out while it tried
        Outcome outcome = UNSAID;
        Attempt attempt = null;
        Object seen = null;
        try {
            attempt = desk.inFlight().began(lease);
            seen = engine.events().started(lease);
            outcome = engine.run().of(attempt, task -> line.crew().lend(task, () -> forkEnded(line)));
        } finally {
            try {
                if (attempt != null) {
                    desk.inFlight().ended(attempt);
                }
                // an interrupt that was meant for this job must not reach the next one on this thread
                Thread.interrupted();
                desk.lines().endedOne(line, outcome);
            } finally {
                settle(line, lease, outcome, seen);
            }
        }
    }

    /** Each step is taken whatever becomes of the one before it: the lease must not stay here, nor the permits. */
    private void settle(LocalQueue line, Lease lease, Outcome outcome, @Nullable Object seen) {
        try {
            giveBackPermits(line, lease);
        } finally {
            Ending ending = handIn(lease, outcome);
            try {
                line.crew().handOver(line, start);
            } finally {
                engine.events().finished(seen, ending);
            }
        }
    }

    /** A job that does not run, and whose permits are taken, goes back with its attempt uncounted. */
    void giveBack(LocalQueue line, Lease lease) {
        try {
            giveBackPermits(line, lease);
        } finally {
            handIn(lease, null);
        }
    }

    private void giveBackPermits(LocalQueue line, Lease lease) {
        try {
            line.crew().giveBack(line);
        } finally {
            giveBackUses(lease);
        }
    }

    /** As {@link #giveBack}, of a job that waits for a permit and holds only what it uses. */
    void giveBackWaiting(Lease lease) {
        try {
            giveBackUses(lease);
        } finally {
            handIn(lease, null);
        }
    }

    private void giveBackUses(Lease lease) {
        while (true) {
            try {
                desk.turnstile().giveBack(lease);
                return;
            } catch (OutOfMemoryError e) {
                // nothing has been given back then, and nobody else could do it
                NoMemory.rest();
            }
        }
    }

    /**
     * Hands an ending in, and does not give up for want of memory: a job that is not handed in counts as running here for as
     * long as this node lives. Nothing is logged between, since that takes memory as well.
     *
     * @param outcome null if it did not run: it goes back with its attempt uncounted
     */
    Ending handIn(Lease lease, @Nullable Outcome outcome) {
        Outcome decided = outcome;
        int broken = 0;
        while (true) {
            try {
                Ending ending = decided == null
                        ? new Ending.GiveBack(lease, null)
                        : engine.next().after(lease, decided, engine.random().getAsDouble());
                engine.recording().offer(ending);
                return ending;
            } catch (OutOfMemoryError e) {
                NoMemory.rest();
            } catch (LinkageError e) {
                // a class or a call site that could not be linked for want of memory, perhaps for good: then it goes
                // back
                NoMemory.rest();
                broken++;
                if (broken > LINK_TRIES_MAX) {
                    decided = null;
                }
            }
        }
    }

    /** A thread that a fork had is free for a job. */
    private void forkEnded(LocalQueue line) {
        line.crew().handOver(line, start);
        roomForMore.run();
    }
}
