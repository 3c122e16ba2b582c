package dev.treadle.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One chore on one thread: take a turn, rest as long as the turn says or until nudged, and so on until closed. A turn
 * that throws never ends the loop: it is reported, the loop rests a little longer each time, and continues. What
 * happens after a failure needs no memory, since a lack of memory may be the failure.
 */
final class Loop {
    /** The rest after the first failed turn, in milliseconds; doubled with each further one. */
    static final long BACKOFF_MILLIS_MIN = 100;
    /** The longest rest after failed turns, in milliseconds. */
    static final long BACKOFF_MILLIS_MAX = 5_000;
    /** After the first failed turn, one in so many is logged. */
    private static final int LOG_EVERY = 12;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final String name;
    private final long backoffMillisMin;
    private final long backoffMillisMax;
    private final Predicate<Throwable> failureIsHandled;
    private final ThreadFactory threads;
    private final AtomicBoolean nudged = new AtomicBoolean();
    /** Held while the thread is replaced, or the loop closed. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    private volatile @Nullable Thread thread;
    private volatile boolean closing;
    /** The chore; null before the start. Guarded by {@link #lifecycle}, like the next field. */
    private @Nullable Supplier<Duration> turn;

    private boolean daemon;
    /** How many turns have failed in a row. Only the loop's thread touches this and the next field. */
    private int failures;
    /** Whether a failure could not even be logged. */
    private boolean unsaid;
    /** When the present turn began, by {@link System#nanoTime}. */
    private volatile long turnBegan;

    private volatile boolean inTurn;
    /** How many turns have begun. Written by the loop's thread only. */
    private volatile long turns;

    Loop(String name) {
        this(name, Duration.ofMillis(BACKOFF_MILLIS_MAX), failed -> false);
    }

    /**
     * @param backoffMax       the longest rest after failed turns, if less than the usual one
     * @param failureIsHandled asked after each failed turn, on the loop's thread; if so, nothing is reported here
     */
    Loop(String name, Duration backoffMax, Predicate<Throwable> failureIsHandled) {
        this(
                name,
                BACKOFF_MILLIS_MIN,
                Math.min(BACKOFF_MILLIS_MAX, backoffMax.toMillis()),
                failureIsHandled,
                Thread::new);
    }

    /** For tests that must not depend on how long a rest takes, or on what becomes of a thread. */
    Loop(
            String name,
            long backoffMillisMin,
            long backoffMillisMax,
            Predicate<Throwable> failureIsHandled,
            ThreadFactory threads) {
        this.name = name;
        this.backoffMillisMin = backoffMillisMin;
        this.backoffMillisMax = backoffMillisMax;
        this.failureIsHandled = failureIsHandled;
        this.threads = threads;
    }

    /** Starts taking turns on a thread of its own. */
    void start(Supplier<Duration> turn) {
        start(turn, Duration.ZERO, false);
    }

    /** Like {@link #start(Supplier)}, with a rest before the first turn. A nudge ends the rest. */
    void startAfter(Duration rest, Supplier<Duration> turn) {
        start(turn, rest, false);
    }

    /** Like {@link #start(Supplier)}, on a daemon thread. */
    void startDaemon(Supplier<Duration> turn) {
        start(turn, Duration.ZERO, true);
    }

    private void start(Supplier<Duration> turn, Duration rest, boolean daemon) {
        lifecycle.lock();
        try {
            this.turn = turn;
            this.daemon = daemon;
            begin(rest.toNanos());
        } finally {
            lifecycle.unlock();
        }
    }

    private void begin(long restNanos) {
        Supplier<Duration> chore = Objects.requireNonNull(turn);
        Thread fresh = threads.newThread(() -> run(chore, restNanos));
        fresh.setName("treadle-" + name);
        fresh.setDaemon(daemon);
        thread = fresh;
        fresh.start();
    }

    /**
     * Restarts the loop if its thread has ended although the loop was not closed.
     *
     * @return whether that was necessary
     */
    boolean revive() {
        lifecycle.lock();
        try {
            Thread before = thread;
            if (closing || before == null || before.isAlive()) {
                return false;
            }
            inTurn = false;
            begin(0);
            return true;
        } finally {
            lifecycle.unlock();
        }
    }

    String name() {
        return name;
    }

    /** How many turns it has begun. */
    long turns() {
        return turns;
    }

    /** For how long the present turn has been under way, in nanoseconds; 0 between two turns. */
    long turnNanos() {
        long began = turnBegan;
        return inTurn ? Math.max(1, System.nanoTime() - began) : 0;
    }

    /** The stack of its thread; empty if it has none. */
    StackTraceElement[] stack() {
        Thread now = thread;
        return now == null ? new StackTraceElement[0] : now.getStackTrace();
    }

    /** Ends the present rest, or skips the next one. Cheap; any thread. */
    void nudge() {
        if (!nudged.get() && nudged.compareAndSet(false, true)) {
            LockSupport.unpark(thread);
        }
    }

    /** Takes no further turn. The present one is never interrupted, so no statement is cut in half. */
    void closeSoon() {
        lifecycle.lock();
        try {
            closing = true;
        } finally {
            lifecycle.unlock();
        }
        nudge();
        // once more, because a nudge during the rest after a failed turn is kept for later and wakes nothing
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

    private void run(Supplier<Duration> turn, long restNanos) {
        long nanos = restNanos;
        while (true) {
            try {
                rest(nanos, true);
                if (closing) {
                    return;
                }
                nudged.set(false);
                nanos = take(turn);
            } catch (Throwable failed) {
                nanos = 0;
                goOnAfter(failed);
            }
        }
    }

    private long take(Supplier<Duration> turn) {
        // an interrupt that a turn left behind would end each rest, and each wait of the next turns
        Thread.interrupted();
        turnBegan = System.nanoTime();
        turns++;
        inTurn = true;
        Duration rest;
        try {
            rest = turn.get();
        } finally {
            inTurn = false;
        }
        if (failures > 0) {
            LOG.info("{} works again after {} failed turns.", name, failures);
            failures = 0;
        }
        return rest.toNanos();
    }

    /** Lets nothing escape: reporting the failure may need just the memory that is missing. */
    private void goOnAfter(Throwable failed) {
        long backoffMillis = Math.min(backoffMillisMax, backoffMillisMin << Math.min(failures, 10));
        try {
            if (!failureIsHandled.test(failed)) {
                report(failed);
            }
            unsaid = false;
        } catch (Throwable cannotSay) {
            unsaid = true;
        }
        failures++;
        try {
            // a nudge does not shorten this rest: the storage may be away
            rest(backoffMillis * NANOS_PER_MILLI, false);
        } catch (Throwable cannotRest) {
            Thread.onSpinWait();
        }
    }

    /** Parks repeatedly, because a park may end early: after an older nudge, or for no reason. */
    private void rest(long nanos, boolean untilNudged) {
        long until = System.nanoTime() + nanos;
        for (long left; !closing && !(untilNudged && nudged.get()) && (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(this, left);
            Thread.interrupted();
        }
    }

    private void report(Throwable failed) {
        if (unsaid || failures % LOG_EVERY == 0) {
            LOG.error(
                    "{} failed ({} times in a row) and continues after a rest: {}",
                    name,
                    failures + 1,
                    failed.getMessage(),
                    failed);
        }
    }
}
