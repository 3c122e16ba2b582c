package dev.treadle.dispatch;

import dev.treadle.dispatch.AttemptTask.Stage;
import dev.treadle.dispatch.Dispatcher.Execution;
import dev.treadle.dispatch.Dispatcher.LocalState;
import dev.treadle.job.Failure;
import dev.treadle.job.RetryDecision;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a job's own thread does from begin to end: user code, the decision, the recorder, and the next job that waits. Each
 * lease that comes here is handed in at the end, whatever goes wrong between. Thread-safe.
 */
final class AttemptRunner {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

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
        NoMemory.prepare();
    }

    /** Called by the executor's thread, through the task. */
    void run(AttemptTask task) {
        LocalQueue line = task.line();
        // stands if not even the border to user code could say what happened, as when memory ran out while it tried
        task.outcome(UNSAID);
        Object seen = null;
        try {
            desk.inFlight().began(task);
            seen = started(task);
            task.outcome(engine.run().of(task.attempt(), fork -> line.crew().lend(fork, () -> forkEnded(line))));
        } finally {
            try {
                desk.inFlight().ended(task);
                // an interrupt that was meant for this job must not reach the next one on this thread
                Thread.interrupted();
                desk.lines().endedOne(line, task.outcome());
            } finally {
                settle(task, seen);
            }
        }
    }

    /** Reporting must not keep a job from running: one of its classes may be one that this JVM refuses. */
    private @Nullable Object started(AttemptTask task) {
        try {
            return engine.events().started(task.lease());
        } catch (LinkageError e) {
            return null;
        }
    }

    /** Each step is taken whatever becomes of the one before it: the lease must not stay here, nor the permits. */
    private void settle(AttemptTask task, @Nullable Object seen) {
        try {
            giveBackHeld(task);
        } finally {
            Transition ending = handIn(task);
            try {
                task.line().crew().handOver(task.line(), start);
            } finally {
                engine.events().finished(seen, ending);
            }
        }
    }

    /**
     * Hands a task that is {@link Stage#STARTING} to its executor.
     *
     * @return false if the executor has refused it; the caller calls it off then, as after any throw
     */
    boolean handOver(AttemptTask task) {
        return task.advance(Stage.STARTING, Stage.HANDED_OVER) && execute(task);
    }

    /** Gives a task to its executor, perhaps not for the first time. */
    boolean execute(AttemptTask task) {
        try {
            task.line().crew().executor().execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "The executor refused job {}; it goes back to the storage.",
                    task.lease().job().id(),
                    e);
            return false;
        }
    }

    /** It is not accepted by its executor, and goes back with its attempt uncounted, unless it runs in spite of that. */
    void callOff(AttemptTask task) {
        if (task.callOff()) {
            finish(task);
        }
    }

    /** The same of one that waits for a permit, unless another thread has it in hand. */
    void giveBackWaiting(AttemptTask task) {
        if (task.advance(Stage.WAITING, Stage.SETTLING)) {
            finish(task);
        }
    }

    /** Brings a task to its end that is {@link Stage#SETTLING} for this thread: what has not run goes back uncounted. */
    void finish(AttemptTask task) {
        try {
            try {
                giveBackHeld(task);
            } finally {
                handIn(task);
            }
        } finally {
            // it changes nothing once the ending is handed in
            task.advance(Stage.SETTLING, Stage.ABANDONED);
        }
    }

    private void giveBackHeld(AttemptTask task) {
        if (task.holdsPermits()) {
            task.line().crew().giveBack(task.line());
            task.permitsGivenBack();
        }
        while (task.holdsResources()) {
            try {
                desk.turnstile().giveBack(task.lease());
                task.resourcesGivenBack();
            } catch (OutOfMemoryError e) {
                // nothing has been given back then, and nobody else could do it
                NoMemory.rest();
            }
        }
    }

    /**
     * Hands the ending in, and does not give up for want of memory. Nothing is logged between, since that takes memory as
     * well.
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
                engine.recording().offer(ending);
                task.handedIn();
                return ending;
            } catch (OutOfMemoryError e) {
                NoMemory.rest();
            } catch (LinkageError e) {
                // a class or a call site that could not be linked for want of memory, perhaps for good: then it goes
                // back
                NoMemory.rest();
                broken++;
            }
        }
    }

    private Transition decide(AttemptTask task, boolean uncounted) {
        Outcome outcome = task.outcome();
        return outcome == null || uncounted
                ? AttemptEnd.givenBack(task.lease())
                : engine.next().after(task.lease(), outcome, engine.random().getAsDouble());
    }

    /** A thread that a fork had is free for a job. */
    private void forkEnded(LocalQueue line) {
        line.crew().handOver(line, start);
        roomForMore.run();
    }
}
