package dev.treadle.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows whether due jobs may be waiting. A new job may start here directly only if none wait, because it would overtake
 * them. Any thread may signal and ask; the dispatching thread looks.
 */
final class BacklogTracker {
    /** Counts the signals that jobs became due. */
    private final AtomicLong signals = new AtomicLong();
    /** {@link #signals} before the last look that found nothing: while both are the same, no due job waits. */
    private volatile long emptyAt = -1;
    /** A job could not start directly because due jobs might have been waiting. */
    private volatile boolean missed;

    /** Jobs may have become due. */
    void signal() {
        signals.incrementAndGet();
    }

    /** To be read before a look, and passed to {@link #looked}. */
    long signals() {
        return signals.get();
    }

    /** @param empty whether no due job was left after the look */
    void looked(long signalsBefore, boolean empty) {
        if (empty) {
            emptyAt = signalsBefore;
        }
    }

    /** Whether a due job may be waiting, as far as this node knows. */
    boolean mayJobsWait() {
        return emptyAt != signals.get();
    }

    /** Whether a new job may start here directly. */
    boolean mayStart() {
        boolean may = !mayJobsWait();
        if (!may) {
            missed = true;
        }
        return may;
    }

    /** Whether a job could not start directly since this was last asked, so that another look is worthwhile. */
    boolean takeMissed() {
        boolean was = missed;
        missed = false;
        return was;
    }
}
