package dev.treadle.dispatch;

import dev.treadle.dispatch.AttemptTask.Stage;
import dev.treadle.dispatch.Dispatcher.Execution;
import dev.treadle.dispatch.Dispatcher.LocalState;
import dev.treadle.job.JobId;
import dev.treadle.outcome.Recording;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds attempts in flight that no thread works on any more, and brings them to their end. A lack of memory can stop any
 * thread at any place, inside the executor as well, and a lease that is in flight here is nobody else's to rescue. What it
 * does is right even if the attempt was not lost: an attempt that is handed over twice runs once, and an ending that is
 * handed in twice is refused the second time. One thread takes turns.
 */
final class LostAttempts {
    /** How many looks there are in the time within which a lost attempt is to be found. */
    private static final int LOOKS = 6;
    /** How many looks in a row must find an attempt where it was, a power of two: less than there are in that time. */
    private static final int LOOKS_SUSPICIOUS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(LostAttempts.class);

    private final InFlight inFlight;
    private final Recording recording;
    private final AttemptRunner runner;
    private final WorkerPool.Starter start;
    private final InstantSource time;
    private final Duration lookEvery;
    private Instant lookAt;

    /**
     * @param start       starts a job whose permits are taken
     * @param foundWithin how long an attempt may stay lost
     */
    LostAttempts(
            LocalState desk, Execution engine, AttemptRunner runner, WorkerPool.Starter start, Duration foundWithin) {
        this.inFlight = desk.inFlight();
        this.recording = engine.recording();
        this.runner = runner;
        this.start = start;
        this.time = desk.lines().time();
        this.lookEvery = foundWithin.dividedBy(LOOKS);
        this.lookAt = time.instant().plus(lookEvery);
    }

    /** Looks at each attempt in flight, if it is time to. */
    void turn() {
        Instant now = time.instant();
        if (now.isBefore(lookAt)) {
            return;
        }
        lookAt = now.plus(lookEvery);
        for (AttemptTask task : inFlight.tasks()) {
            Stage stage = task.stage();
            // the same at four looks, then at eight and so on: an executor may take its time
            int looks = task.look(stage);
            if (stage == Stage.ABANDONED || looks >= LOOKS_SUSPICIOUS && Integer.bitCount(looks) == 1) {
                mend(task, stage);
            }
        }
    }

    /** Brings to their end those that certainly are lost. */
    void finishAbandoned() {
        for (AttemptTask task : inFlight.tasks()) {
            mend(task, Stage.ABANDONED);
        }
    }

    private void mend(AttemptTask task, Stage stage) {
        switch (stage) {
            case ABANDONED -> {
                if (task.advance(Stage.ABANDONED, Stage.SETTLING)) {
                    finish(task, "its thread went away before its ending was handed in");
                }
            }
            case WAITING -> {
                if (!task.line().waiting().contains(task) && task.advance(Stage.WAITING, Stage.SETTLING)) {
                    finish(task, "it was to wait for a permit and did not");
                }
            }
            case HANDED_OVER -> handOverAgain(task);
            case ENDED -> handInAgain(task);
            case STARTING, RUNNING, SETTLING -> {
                // a thread has it in hand
            }
        }
    }

    private void finish(AttemptTask task, String how) {
        runner.finish(task);
        task.line().crew().handOver(task.line(), start);
        LOG.warn("Job {} was lost on this node and has been brought to its end: {}.", id(task), how);
    }

    /** Its executor has had it for long. It may wait there for a thread, or be lost: then it runs now. */
    private void handOverAgain(AttemptTask task) {
        boolean accepted = false;
        try {
            accepted = runner.execute(task);
        } finally {
            if (!accepted) {
                runner.callOff(task);
            }
        }
        LOG.warn("The executor has not started job {} for a long time; the job was handed over once more.", id(task));
    }

    /** Nothing waits to be written, yet this is not written: the recorder has lost it. */
    private void handInAgain(AttemptTask task) {
        if (recording.waiting() == 0 && !task.isWritten()) {
            recording.offer(Objects.requireNonNull(task.ending()));
            LOG.warn("The ending of job {} was lost on this node and is handed in once more.", id(task));
        }
    }

    private static JobId id(AttemptTask task) {
        return task.lease().job().id();
    }
}
