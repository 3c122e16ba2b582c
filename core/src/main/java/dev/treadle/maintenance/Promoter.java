package dev.treadle.maintenance;

import dev.treadle.lifecycle.Transition;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;
import java.time.InstantSource;

/** Moves Scheduled jobs to Enqueued when their time has come. */
public final class Promoter {
    /** The highest number of jobs moved in one turn. */
    public static final int PROMOTE_BATCH_MAX = StorageProvider.BATCH_MAX;

    /** How often to look while another node has locked all due jobs. */
    private static final Duration WHILE_HELD = Duration.ofMillis(20);

    private final StorageProvider storage;
    private final Runnable dueNow;
    private final Duration longest;
    private final Expected next;

    /**
     * @param dueNow  run when jobs became due
     * @param longest the longest rest if nothing is {@linkplain #expect expected}
     * @param time    only differences of it matter
     * @param nudge   wakes the loop that takes turns
     */
    public Promoter(StorageProvider storage, Runnable dueNow, Duration longest, InstantSource time, Runnable nudge) {
        this.storage = storage;
        this.dueNow = dueNow;
        this.longest = longest;
        this.next = new Expected(time, nudge);
    }

    /** Moves due jobs, and rests until the next one is due. */
    public Duration turn() {
        next.turnBegins();
        Promotion promotion = storage.promote(PROMOTE_BATCH_MAX);
        if (promotion.moved() > 0) {
            dueNow.run();
        }
        Duration untilNext = promotion.untilNext();
        if (promotion.moved() == 0 && untilNext != null && untilNext.isZero()) {
            // due jobs that were not moved are locked by another node
            return next.rest(WHILE_HELD);
        }
        return next.rest(untilNext == null || untilNext.compareTo(longest) > 0 ? longest : untilNext);
    }

    /** An attempt has ended, and another may follow. May be called on any thread. */
    public void ended(Transition ending) {
        Duration delay = ending.delay();
        if (delay != null) {
            expect(delay);
        }
    }

    /** A job becomes due after this delay. May be called on any thread. */
    public void expect(Duration delay) {
        next.in(delay);
    }
}
