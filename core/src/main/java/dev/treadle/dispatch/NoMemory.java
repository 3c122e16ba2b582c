package dev.treadle.dispatch;

import java.util.concurrent.locks.LockSupport;

/** Pauses before the next try of work that failed for lack of memory and must be done. Jobs that end free memory. */
final class NoMemory {
    private static final long REST_NANOS = 1_000_000;

    private NoMemory() {}

    /** Loads this class early, because there is no memory left when it is needed. */
    static void prepare() {
        // the call alone loads the class
    }

    /** Waits a little without allocating memory. */
    static void rest() {
        try {
            LockSupport.parkNanos(REST_NANOS);
        } catch (OutOfMemoryError e) {
            // a virtual thread needs memory even to wait
            Thread.onSpinWait();
        }
    }
}
