package dev.treadle.maintenance;

import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.time.InstantSource;

/** Makes Scheduled jobs Enqueued when their time has come. */
public final class Promoter {
    /** Most jobs moved in one turn, in jobs. */
    public static final int PROMOTE_BATCH_MAX = StorageProvider.BATCH_MAX;

    /** How often to look for what is due while somebody else holds all of it. */
    private static final Duration WHILE_HELD = Duration.ofMillis(20);

    private final StorageProvider storage;
    private final Runnable dueNow;
    private final Duration longest;
    private final Expected next;

    /**
     * @param dueNow  told when jobs became due
     * @param longest the longest rest, if nothing is {@linkplain #expect expected}
     * @param time    only spans of it matter
     * @param nudge   ends the rest of the loop that takes turns
     */
    public Promoter(StorageProvider storage, Runnable dueNow, Duration longest, InstantSource time, Runnable nudge) {
        this.storage = storage;
        this.dueNow = dueNow;
        this.longest = longest;
        this.next = new Expected(time, nudge);
    }

    /** Moves what is due and rests until the next job is. */
    public Duration turn() {
        next.asks();
        Promotion promotion = storage.promote(PROMOTE_BATCH_MAX);
        if (promotion.moved() > 0) {
            dueNow.run();
        }
        Duration untilNext = promotion.untilNext();
        if (promotion.moved() == 0 && untilNext != null && untilNext.isZero()) {
            // what is due and was not moved is in somebody else's hands
            return next.rests(WHILE_HELD);
        }
        return next.rests(untilNext == null || untilNext.compareTo(longest) > 0 ? longest : untilNext);
    }

    /** An attempt has ended, and another may follow. Any thread. */
    public void ended(Transition ending) {
        Duration delay = ending.delay();
        if (delay != null) {
            expect(delay);
        }
    }

    /** A job becomes due after so long. Any thread. */
    public void expect(Duration delay) {
        next.in(delay);
    }
}
