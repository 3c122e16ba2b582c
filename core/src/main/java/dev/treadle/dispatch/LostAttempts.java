package dev.treadle.dispatch;

import dev.treadle.dispatch.AttemptTask.Stage;
import dev.treadle.job.JobId;
import dev.treadle.outcome.Recording;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds attempts in flight that no thread works on any more, and ends them. A lack of memory can stop any thread at any
 * point, also inside the executor, and no other node rescues a lease that is in flight here. What this class does is right
 * even if the attempt was not lost: an attempt that is handed over twice runs once, and an ending that is handed in twice is
 * refused the second time. One thread takes turns.
 */
final class LostAttempts {
    /** How many looks there are within the time in which a lost attempt must be found. */
    private static final int LOOKS = 6;
    /** How many looks in a row must find an attempt where it was, a power of two: less than there are in that time. */
    private static final int LOOKS_SUSPICIOUS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(LostAttempts.class);

    private final InFlight inFlight;
    private final LocalQueues queues;
    private final Recording recording;
    private final AttemptRunner runner;
    private final PoolQueues.Starter start;
    private final InstantSource time;
    private final Duration lookEvery;
    private Instant lookAt;

    /**
     * @param start       starts a job whose permits are taken
     * @param foundWithin how long an attempt may stay lost
     */
    LostAttempts(
            LocalState local,
            Execution execution,
            AttemptRunner runner,
            PoolQueues.Starter start,
            Duration foundWithin) {
        this.inFlight = local.inFlight();
        this.queues = local.queues();
        this.recording = execution.recording();
        this.runner = runner;
        this.start = start;
        this.time = queues.time();
        this.lookEvery = foundWithin.dividedBy(LOOKS);
        this.lookAt = time.instant().plus(lookEvery);
    }

    /** Looks at all attempts in flight, if it is time to. */
    void turn() {
        Instant now = time.instant();
        if (now.isBefore(lookAt)) {
            return;
        }
        lookAt = now.plus(lookEvery);
        for (AttemptTask task : inFlight.tasks()) {
            Stage stage = task.stage();
            // act when four looks have seen the same stage, then eight and so on: an executor may be slow
            int looks = task.look(stage);
            if (stage == Stage.ABANDONED || looks >= LOOKS_SUSPICIOUS && Integer.bitCount(looks) == 1) {
                mend(task, stage);
            }
        }
    }

    /** Ends the attempts that are certainly lost. */
    void finishAbandoned() {
        for (AttemptTask task : inFlight.tasks()) {
            mend(task, Stage.ABANDONED);
        }
    }

    private void mend(AttemptTask task, Stage stage) {
        switch (stage) {
            case ABANDONED -> {
                if (task.advance(Stage.ABANDONED, Stage.SETTLING)) {
                    finish(task, "its thread was gone before its ending was handed in");
                }
            }
            case WAITING -> {
                if (!task.isKeptToWait() && task.advance(Stage.WAITING, Stage.SETTLING)) {
                    finish(task, "it was not among the jobs that wait for a permit");
                }
            }
            case HANDED_OVER -> handOverAgain(task);
            case ENDED -> handInAgain(task);
            case STARTING, RUNNING, SETTLING -> {
                // a thread is working on it
            }
        }
    }

    private void finish(AttemptTask task, String how) {
        runner.finish(task);
        queues.handOver(task.queue(), start);
        LOG.warn("Job {} was lost on this node and has been ended: {}.", id(task), how);
    }

    /** Its executor has had it for a long time. It may be waiting there for a thread; if it was lost, it runs now. */
    private void handOverAgain(AttemptTask task) {
        boolean accepted = false;
        try {
            accepted = runner.execute(task);
        } finally {
            if (!accepted) {
                runner.cancel(task);
            }
        }
        LOG.warn("The executor has not started job {} for a long time. The job was handed to it again.", id(task));
    }

    /** If nothing waits to be recorded and this ending is not recorded, the recorder has lost it. */
    private void handInAgain(AttemptTask task) {
        if (recording.waiting() == 0 && !task.isRecorded()) {
            recording.offer(Objects.requireNonNull(task.ending()));
            LOG.warn("The ending of job {} was lost on this node and was handed in again.", id(task));
        }
    }

    private static JobId id(AttemptTask task) {
        return task.lease().job().id();
    }
}
