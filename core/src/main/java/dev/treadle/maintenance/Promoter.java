package dev.treadle.maintenance;

import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.StorageProvider.Promotion;
import java.time.Duration;

/** Makes Scheduled jobs Enqueued when their time has come. */
public final class Promoter {
    /** Most jobs moved in one turn, in jobs. */
    public static final int PROMOTE_BATCH_MAX = StorageProvider.BATCH_MAX;

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
        return untilNext == null || untilNext.compareTo(longest) > 0 ? longest : untilNext;
    }
}
