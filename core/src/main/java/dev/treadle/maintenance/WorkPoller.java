package dev.treadle.maintenance;

import dev.treadle.storage.PendingWork;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Asks the storage what there is to do, in one question for all chores: rarely while the storage sends notifications, and as
 * often as the settings say while it does not. One thread takes turns; any thread may ask for an earlier one.
 */
public final class WorkPoller {
    /** The rest between two polls while the storage notifies, in milliseconds. A lost notification is noticed after that. */
    public static final long NOTIFIED_MILLIS = 2_000;
    /** How long notifications are not relied on after one was missing, in milliseconds. */
    static final long DISTRUST_MILLIS = 60_000;

    private final StorageProvider storage;
    private final Duration pollMax;
    private final InstantSource time;
    private final Runnable nudge;
    /** When to poll next. */
    private final AtomicReference<Instant> nextAt = new AtomicReference<>(Instant.MIN);

    private volatile Instant distrustedUntil = Instant.MIN;

    /**
     * @param pollMax the longest rest while the storage does not notify
     * @param nudge   wakes the loop that takes turns
     */
    public WorkPoller(StorageProvider storage, Duration pollMax, InstantSource time, Runnable nudge) {
        this.storage = storage;
        this.pollMax = pollMax;
        this.time = time;
        this.nudge = nudge;
    }

    /**
     * Polls, if it is time to.
     *
     * @param ask    asks the storage
     * @param handle passes the answer to the chores; true if the storage should have notified of something and did not
     */
    public Duration turn(Supplier<PendingWork> ask, Predicate<PendingWork> handle) {
        Instant now = time.instant();
        if (now.isBefore(nextAt.get())) {
            return untilNext(now);
        }
        // set before asking, so that requests in the meantime count
        nextAt.set(Instant.MAX);
        boolean polled = false;
        try {
            PendingWork work = ask.get();
            if (handle.test(work)) {
                distrustedUntil = now.plusMillis(DISTRUST_MILLIS);
            }
            pollAt(now.plus(work.awaits() ? pollMax : usualRest(now)));
            polled = true;
        } finally {
            if (!polled) {
                nextAt.set(Instant.MIN);
            }
        }
        return untilNext(time.instant());
    }

    /** Whether the storage notifies of jobs that others make due, so that asking is not needed. May be called on any thread. */
    public boolean isNotified() {
        return storage.notifications().areComplete() && !time.instant().isBefore(distrustedUntil);
    }

    private Duration usualRest(Instant now) {
        Duration notified = Duration.ofMillis(NOTIFIED_MILLIS);
        return isNotified() && pollMax.compareTo(notified) < 0 ? notified : pollMax;
    }

    /** Polls within this time. May be called on any thread. */
    public void pollWithin(Duration rest) {
        if (pollAt(time.instant().plus(rest))) {
            nudge.run();
        }
    }

    private boolean pollAt(Instant at) {
        return nextAt.getAndUpdate(before -> at.isBefore(before) ? at : before).isAfter(at);
    }

    private Duration untilNext(Instant now) {
        Instant next = nextAt.get();
        return next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }
}
