package dev.treadle.maintenance;

import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;

/** Makes Scheduled jobs Enqueued when their time has come. */
public final class Promoter {
    /** Most jobs moved in one turn, in jobs. */
    public static final int PROMOTE_BATCH_MAX = StorageProvider.BATCH_MAX;

    /** How often to look for what is due while somebody else holds all of it. */
    private static final Duration WHILE_HELD = Duration.ofMillis(20);

    private final StorageProvider storage;
    private final Runnable dueNow;
    private final Duration longest;

    /**
     * @param dueNow  told when jobs became due
     * @param longest the longest rest: jobs that another process schedules are seen after it at the latest
     */
    public Promoter(StorageProvider storage, Runnable dueNow, Duration longest) {
        this.storage = storage;
        this.dueNow = dueNow;
        this.longest = longest;
    }

    /** Moves what is due and rests until the next job is. */
    public Duration turn() {
        Promotion promotion = storage.promote(PROMOTE_BATCH_MAX);
        if (promotion.moved() > 0) {
            dueNow.run();
        }
        Duration untilNext = promotion.untilNext();
        if (promotion.moved() == 0 && untilNext != null && untilNext.compareTo(WHILE_HELD) < 0) {
            // what is due and was not moved is in somebody else's hands
            return WHILE_HELD;
        }
        return untilNext == null || untilNext.compareTo(longest) > 0 ? longest : untilNext;
    }
}
