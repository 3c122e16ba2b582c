package dev.treadle.dispatch;

import dev.treadle.dispatch.Dispatcher.Desk;
import dev.treadle.dispatch.Dispatcher.Engine;
import dev.treadle.invoke.Attempt;
import dev.treadle.job.Failure;
import dev.treadle.job.RetryDecision;
import dev.treadle.outcome.Outcome;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a job's own thread does from begin to end: user code, the decision, the recorder, and the next job that waits. Each
 * lease that comes here is handed in at the end, whatever goes wrong between. Thread-safe.
 */
final class AttemptRunner {
    /** The rest before the next try of what there was no memory for, in nanoseconds. */
    private static final long NO_MEMORY_NANOS = 1_000_000;

    private static final Outcome UNSAID = new Outcome.Threw(
            Duration.ZERO,
            Failure.because("Unknown", "The attempt ended in a way that could not be described."),
            RetryDecision.BY_POLICY);

    private final Desk desk;
    private final Engine engine;
    private final Crew.Starter start;
    private final Runnable roomForMore;

    /**
     * @param start       starts a job whose permits are taken
     * @param roomForMore told when a thread has come free, in case more waits in the storage
     */
    AttemptRunner(Desk desk, Engine engine, Crew.Starter start, Runnable roomForMore) {
        this.desk = desk;
        this.engine = engine;
        this.start = start;
        this.roomForMore = roomForMore;
    }

    /** Both permits of the job are taken; they are given back when it has ended. */
    void run(Line line, Leased lease) {
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
                line.crew().giveBack(line);
                desk.turnstile().giveBack(lease);
                Ending ending = handIn(lease, outcome);
                line.crew().handOver(line, start);
                engine.events().finished(seen, ending);
            }
        }
    }

    /**
     * Hands an ending in, and does not give up for want of memory: a job that is not handed in counts as running here for as
     * long as this node lives. Nothing is logged between, since that takes memory as well.
     *
     * @param outcome null if it did not run: it goes back with its attempt uncounted
     */
    Ending handIn(Leased lease, @Nullable Outcome outcome) {
        while (true) {
            try {
                Ending ending = outcome == null
                        ? new Ending.GiveBack(lease, null)
                        : engine.next().after(lease, outcome, engine.random().getAsDouble());
                engine.recorder().offer(ending);
                return ending;
            } catch (OutOfMemoryError e) {
                // others let go of what they hold when they end
                restWithoutMemory();
            }
        }
    }

    private static void restWithoutMemory() {
        try {
            LockSupport.parkNanos(NO_MEMORY_NANOS);
        } catch (OutOfMemoryError e) {
            // a virtual thread needs some even to wait
            Thread.onSpinWait();
        }
    }

    /** A thread that a fork had is free for a job. */
    private void forkEnded(Line line) {
        line.crew().handOver(line, start);
        roomForMore.run();
    }
}
