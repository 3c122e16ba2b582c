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
 * Asks whether there is anything to do, in one question for all chores: rarely while the storage tells what others make
 * due, as often as the settings say while it does not. One thread takes turns; any may ask for an earlier one.
 */
public final class WorkPoller {
    /** The rest between two looks while the storage tells, in milliseconds: what it does not tell is seen after that. */
    public static final long TOLD_MILLIS = 2_000;
    /** How long a storage that failed to tell is not relied on, in milliseconds. */
    static final long DISTRUST_MILLIS = 60_000;

    private final StorageProvider storage;
    private final Duration pollMax;
    private final InstantSource time;
    private final Runnable nudge;
    /** When to look next. */
    private final AtomicReference<Instant> nextAt = new AtomicReference<>(Instant.MIN);

    private volatile Instant distrustedUntil = Instant.MIN;

    /**
     * @param pollMax the longest rest where the storage does not tell
     * @param nudge   ends the rest of the loop that takes turns
     */
    public WorkPoller(StorageProvider storage, Duration pollMax, InstantSource time, Runnable nudge) {
        this.storage = storage;
        this.pollMax = pollMax;
        this.time = time;
        this.nudge = nudge;
    }

    /**
     * Looks, if it is time to.
     *
     * @param ask  the question
     * @param seen does what there is to do; answers whether the storage should have told of something and did not
     */
    public Duration turn(Supplier<PendingWork> ask, Predicate<PendingWork> seen) {
        Instant now = time.instant();
        if (now.isBefore(nextAt.get())) {
            return untilNext(now);
        }
        // before asking: a request that arrives during the question counts
        nextAt.set(Instant.MAX);
        boolean looked = false;
        try {
            PendingWork outlook = ask.get();
            if (seen.test(outlook)) {
                distrustedUntil = now.plusMillis(DISTRUST_MILLIS);
            }
            lookAt(now.plus(outlook.awaits() ? pollMax : usualRest(now)));
            looked = true;
        } finally {
            if (!looked) {
                nextAt.set(Instant.MIN);
            }
        }
        return untilNext(time.instant());
    }

    /** Whether what others make due is told, so that there is no need to ask for it. Any thread. */
    public boolean isTold() {
        return storage.tellsWhatIsDue() && !time.instant().isBefore(distrustedUntil);
    }

    private Duration usualRest(Instant now) {
        Duration told = Duration.ofMillis(TOLD_MILLIS);
        return isTold() && pollMax.compareTo(told) < 0 ? told : pollMax;
    }

    /** The next look is within this time. Any thread. */
    public void lookWithin(Duration rest) {
        if (lookAt(time.instant().plus(rest))) {
            nudge.run();
        }
    }

    private boolean lookAt(Instant at) {
        return nextAt.getAndUpdate(before -> at.isBefore(before) ? at : before).isAfter(at);
    }

    private Duration untilNext(Instant now) {
        Instant next = nextAt.get();
        return next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }
}
