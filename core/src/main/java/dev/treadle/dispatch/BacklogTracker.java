package dev.treadle.dispatch;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether no due job waits, as far as this node knows: only then may a new one start here at once, since it would
 * overtake the others. Any thread asks and hears; the dispatching thread looks.
 */
final class BacklogTracker {
    /** How often this node heard that jobs became due. */
    private final AtomicLong heard = new AtomicLong();
    /** {@link #heard} before the last look that found nothing: while they are the same, no due job waits. */
    private volatile long since = -1;
    /** Somebody would have started a job here, and could not know whether it may. */
    private volatile boolean missed;

    void hears() {
        heard.incrementAndGet();
    }

    /** To be asked before a look. */
    long before() {
        return heard.get();
    }

    /** @param nothing whether no due job was left when it was over */
    void looked(long before, boolean nothing) {
        if (nothing) {
            since = before;
        }
    }

    /** Whether a due job may wait, for all that this node knows. */
    boolean mayAnythingWait() {
        return since != heard.get();
    }

    /** Whether a new job may start here. */
    boolean mayStart() {
        boolean may = !mayAnythingWait();
        if (!may) {
            missed = true;
        }
        return may;
    }

    /** Whether it is worth another look at once, for the sake of those who could not start here; says so once. */
    boolean wasMissed() {
        boolean was = missed;
        missed = false;
        return was;
    }
}
