package dev.treadle.watch;

import dev.treadle.job.Failure;
import dev.treadle.job.Job;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the attempts of this node that failed: what was thrown, and what follows. A warning if the job is tried again or
 * parked, an error if it failed for good. Bounded, because thousands of jobs may fail in a second; the storage keeps all
 * failures. Thread-safe.
 */
public final class FailureLog {
    /** This many failures are logged in one minute. Those beyond are counted, and the next failure that is logged says how many. */
    static final int PER_MINUTE_MAX = 20;

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final long MINUTE_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final double MILLIS_PER_SECOND = 1_000;

    private final InstantSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private long minute = Long.MIN_VALUE;
    private int logged;
    private long unlogged;

    /** @param time counts the minutes */
    public FailureLog(InstantSource time) {
        this.time = time;
    }

    /** An attempt ended like this. Logs nothing unless it failed. */
    public void ended(Transition ending) {
        switch (ending.trigger()) {
            case RETRY, FAIL, PARK -> {
                try {
                    log(ending);
                } catch (OutOfMemoryError e) {
                    // the storage keeps the failure, and this thread has other jobs to run
                    count();
                }
            }
            default -> {}
        }
    }

    private void log(Transition ending) {
        Long before = admitted();
        if (before == null) {
            return;
        }
        if (before > 0) {
            LOG.warn("{} more failed attempts were not logged: {} are, in a minute.", before, PER_MINUTE_MAX);
        }
        Job job = ending.lease().job();
        Failure why = Objects.requireNonNull(ending.why());
        Duration delay = ending.delay();
        switch (ending.trigger()) {
            case PARK -> LOG.warn("Job {} ({}) is parked: {}", job.id(), target(job), why.message());
            case FAIL ->
                LOG.error(
                        "Job {} ({}) failed for good in attempt {}: {}",
                        job.id(),
                        target(job),
                        job.attempt(),
                        text(why));
            default ->
                LOG.warn(
                        "Job {} ({}) failed in attempt {} and runs again in {} s: {}",
                        job.id(),
                        target(job),
                        job.attempt(),
                        delay == null ? 0 : delay.toMillis() / MILLIS_PER_SECOND,
                        text(why));
        }
    }

    /** How many failures have not been logged since the last one that was; null if this is another one. */
    private @Nullable Long admitted() {
        lock.lock();
        try {
            return admittedAt(Math.floorDiv(time.millis(), MINUTE_MILLIS));
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Long admittedAt(long now) {
        if (now != minute) {
            minute = now;
            logged = 0;
        }
        if (logged == PER_MINUTE_MAX) {
            unlogged++;
            return null;
        }
        logged++;
        long before = unlogged;
        unlogged = 0;
        return before;
    }

    private void count() {
        lock.lock();
        try {
            unlogged++;
        } finally {
            lock.unlock();
        }
    }

    private static String target(Job job) {
        return job.invocation().target();
    }

    /** The trace, which begins with type and message, as far as it is kept. */
    private static String text(Failure why) {
        return why.trace().isEmpty()
                ? why.type() + ": " + why.message()
                : why.trace().stripTrailing();
    }
}
