package dev.treadle.engine;

import dev.treadle.health.HealthProblem;
import dev.treadle.health.Verdict;
import dev.treadle.health.rules.HealthFacts;
import dev.treadle.health.rules.HealthFacts.Outage;
import dev.treadle.health.rules.HealthLook;
import dev.treadle.health.rules.HealthRules;
import dev.treadle.server.ServerState;
import dev.treadle.storage.StorageProvider;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a verdict when it is asked for one. A thread of its own looks at the storage, from the first question on, so that
 * no caller waits longer than it said; callers at the same time share one look. Thread-safe.
 */
public final class HealthCheck implements AutoCloseable {
    /** The patience of callers who name none. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);
    /** The shortest patience of a caller. */
    public static final Duration PATIENCE_MIN = Duration.ofMillis(1);
    /** The longest. */
    public static final Duration PATIENCE_MAX = Duration.ofMinutes(1);

    /** How long closing waits for the present look. */
    private static final Duration LOOK_MAX = Duration.ofSeconds(1);

    private static final Duration UNTIL_NUDGED = Duration.ofDays(1);
    private static final Verdict CLOSED = new Verdict(
            Verdict.Level.DOWN,
            "This Treadle is closed.",
            List.of(new HealthProblem(
                    HealthProblem.Rule.SERVER_STOPPED,
                    Verdict.Level.DOWN,
                    "This Treadle is closed.",
                    "Ask for its health before it is closed.",
                    null)));

    private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);

    private final HealthLook look;
    private final LocalServer server;
    /** Null if the caller's thread looks. */
    private final @Nullable Loop loop;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by {@link #lock}, like the fields below. */
    private boolean started;

    private boolean closed;
    /** Whether a look is wanted that has not begun. */
    private boolean wanted;
    /** How many looks have ended. */
    private long looks;
    /** When the present look began, by {@link System#nanoTime}; null between two looks. */
    private @Nullable Long lookBegan;
    /** When the first of the looks began that were not answered; null if the last one was. */
    private @Nullable Long downSince;

    private @Nullable Verdict latest;

    private HealthCheck(StorageProvider storage, InstantSource time, LocalServer server, @Nullable Loop loop) {
        this.look = new HealthLook(storage, time);
        this.server = server;
        this.loop = loop;
    }

    /**
     * A check, whose thread does not start before the first question. Where jobs run on the thread that calls the server,
     * the caller looks, however long that takes.
     *
     * @param server the server of this process, if it has one
     */
    public static HealthCheck of(StorageProvider storage, LocalServer server) {
        return server.latest().orElse(null) instanceof ManualJobServer manual
                ? new HealthCheck(storage, manual.time(), server, null)
                : new HealthCheck(storage, Clock.systemUTC(), server, new Loop("health"));
    }

    /**
     * Looks at the storage, or waits for the look that is under way.
     *
     * @param patience how long to wait for an answer; without one, that is the verdict
     * @throws IllegalArgumentException if the patience is out of range; nothing else is thrown, whatever the storage does
     */
    public Verdict verdict(Duration patience) {
        if (patience.compareTo(PATIENCE_MIN) < 0 || patience.compareTo(PATIENCE_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The patience " + patience + " is out of range: " + PATIENCE_MIN + " to " + PATIENCE_MAX + ".");
        }
        if (loop == null) {
            turn();
        }
        lock.lock();
        try {
            if (loop == null && latest != null) {
                return closed ? CLOSED : latest;
            }
            long before = looks;
            begin();
            boolean interrupted = await(before, patience.toNanos());
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (closed) {
                return CLOSED;
            }
            Verdict seen = latest;
            return looks == before || seen == null ? unanswered(patience) : seen;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the loop look, if it does not do so already. */
    private void begin() {
        if (loop == null || closed || wanted || lookBegan != null) {
            return;
        }
        wanted = true;
        if (started) {
            loop.nudge();
        } else {
            loop.startDaemon(this::turn);
            started = true;
        }
    }

    /**
     * Waits for the end of a look, but not for one that has taken longer than that already.
     *
     * @return whether the caller was interrupted, which does not end the wait: it is short, and has to end in a verdict
     */
    private boolean await(long before, long patienceNanos) {
        boolean interrupted = false;
        long asked = System.nanoTime();
        while (!closed && looks == before) {
            long began = lookBegan == null ? asked : Math.min(lookBegan, asked);
            long left = began + patienceNanos - System.nanoTime();
            if (left <= 0) {
                break;
            }
            try {
                changed.awaitNanos(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    private Verdict unanswered(Duration patience) {
        Long since = downSince == null ? lookBegan : downSince;
        Duration silent = since == null ? patience : Duration.ofNanos(System.nanoTime() - since);
        return HealthRules.verdict(
                HealthFacts.unanswered(new Outage(silent, "It was asked, and its answer is still awaited.")));
    }

    /** Looks once; on the loop's thread, if there is a loop. */
    private Duration turn() {
        long began = System.nanoTime();
        beginLook(began);
        Verdict seen = null;
        try {
            seen = HealthRules.verdict(look.facts(hasStopped()));
            downSince(null);
        } catch (RuntimeException | LinkageError e) {
            seen = HealthRules.verdict(HealthFacts.unanswered(Outage.of(e, down(began, e))));
        } finally {
            endLook(seen);
        }
        return UNTIL_NUDGED;
    }

    private boolean hasStopped() {
        return server.latest()
                .filter(latest -> latest.state() == ServerState.STOPPED)
                .isPresent();
    }

    private void beginLook(long began) {
        lock.lock();
        try {
            wanted = false;
            lookBegan = began;
        } finally {
            lock.unlock();
        }
    }

    /** @param seen null if there was no memory to say what was seen: then the next look says it */
    private void endLook(@Nullable Verdict seen) {
        lock.lock();
        try {
            lookBegan = null;
            if (seen != null) {
                latest = seen;
                looks++;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** For how long the storage has not answered now that it has thrown this; logs the first failure of each outage. */
    private Duration down(long began, Throwable thrown) {
        boolean isNews;
        long since;
        lock.lock();
        try {
            isNews = downSince == null && !closed;
            since = downSince == null ? began : downSince;
            downSince = since;
        } finally {
            lock.unlock();
        }
        if (isNews) {
            LOG.warn("The health check cannot read from the storage.", thrown);
        }
        return Duration.ofNanos(System.nanoTime() - since);
    }

    private void downSince(@Nullable Long since) {
        lock.lock();
        try {
            downSince = since;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the verdict "closed" from now on, also to those who wait. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (loop == null) {
            return;
        }
        loop.closeSoon();
        try {
            // its present look should not meet a storage that is closed
            loop.awaitEnd(LOOK_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
