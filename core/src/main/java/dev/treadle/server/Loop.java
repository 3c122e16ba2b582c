package dev.treadle.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One chore on one thread: take a turn, rest as long as the turn says or until nudged, and so on until closed. A turn
 * that throws never ends the loop: it is reported, the loop rests a little longer each time, and goes on.
 */
final class Loop {
    /** The rest after the first failed turn, in milliseconds; doubled with each further one. */
    static final long BACKOFF_MILLIS_MIN = 100;
    /** The longest rest after failed turns, in milliseconds. */
    static final long BACKOFF_MILLIS_MAX = 5_000;
    /** One failed turn in so many is logged once the first has been. */
    private static final int LOG_EVERY = 12;

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final String name;
    private final long backoffMillisMin;
    private final long backoffMillisMax;
    private final AtomicBoolean nudged = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean closing;
    /** Turns that failed in a row. Only the loop's thread touches it. */
    private int failures;

    Loop(String name) {
        this(name, Duration.ofMillis(BACKOFF_MILLIS_MAX));
    }

    /** @param backoffMax the longest rest after failed turns, if less than the usual one */
    Loop(String name, Duration backoffMax) {
        this(name, BACKOFF_MILLIS_MIN, Math.min(BACKOFF_MILLIS_MAX, backoffMax.toMillis()));
    }

    /** For a test that must not depend on how long a rest takes. */
    Loop(String name, long backoffMillisMin, long backoffMillisMax) {
        this.name = name;
        this.backoffMillisMin = backoffMillisMin;
        this.backoffMillisMax = backoffMillisMax;
    }

    /** Begins to take turns on a thread of its own. */
    void start(Supplier<Duration> turn) {
        start(turn, Duration.ZERO, false);
    }

    /** As {@link #start(Supplier)}, with a rest before the first turn, which a nudge ends. */
    void startAfter(Duration rest, Supplier<Duration> turn) {
        start(turn, rest, false);
    }

    /** As {@link #start(Supplier)}; the process may end while the loop goes on. */
    void startDaemon(Supplier<Duration> turn) {
        start(turn, Duration.ZERO, true);
    }

    private void start(Supplier<Duration> turn, Duration rest, boolean daemon) {
        Thread fresh = new Thread(
                () -> {
                    rest(rest.toNanos(), true);
                    run(turn);
                },
                "treadle-" + name);
        fresh.setDaemon(daemon);
        thread = fresh;
        fresh.start();
    }

    /** Ends the present rest, or skips the next one. Cheap; any thread. */
    void nudge() {
        if (!nudged.get() && nudged.compareAndSet(false, true)) {
            LockSupport.unpark(thread);
        }
    }

    /** Takes no further turn. The present one is never interrupted, so no statement is cut in half. */
    void closeSoon() {
        closing = true;
        nudge();
        // why again: a nudge during the rest after a failed turn is kept for later, and a second one does not wake
        LockSupport.unpark(thread);
    }

    /**
     * Waits for the present turn to end, after {@link #closeSoon}.
     *
     * @return whether it has ended
     */
    boolean awaitEnd(Duration patience) throws InterruptedException {
        Thread running = thread;
        if (running == null || running == Thread.currentThread()) {
            return true;
        }
        running.join(Math.max(1, patience.toMillis()));
        return !running.isAlive();
    }

    private void run(Supplier<Duration> turn) {
        while (!closing) {
            rest(take(turn), true);
            nudged.set(false);
        }
    }

    private long take(Supplier<Duration> turn) {
        try {
            Duration rest = turn.get();
            if (failures > 0) {
                LOG.info("{} works again after {} failed turns.", name, failures);
                failures = 0;
            }
            return rest.toNanos();
        } catch (Throwable failed) {
            report(failed);
            // a nudge is no reason to hurry while the storage is away
            long backoff = Math.min(backoffMillisMax, backoffMillisMin << Math.min(failures, 10));
            failures++;
            rest(Duration.ofMillis(backoff).toNanos(), false);
            return 0;
        }
    }

    /** Again and again, because a park may end early: by a nudge that came before it, or for no reason. */
    private void rest(long nanos, boolean untilNudged) {
        long until = System.nanoTime() + nanos;
        for (long left; !closing && !(untilNudged && nudged.get()) && (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void report(Throwable failed) {
        if (failures % LOG_EVERY == 0) {
            LOG.error(
                    "{} failed ({} times in a row) and goes on after a rest: {}",
                    name,
                    failures + 1,
                    failed.getMessage(),
                    failed);
        }
    }
}
