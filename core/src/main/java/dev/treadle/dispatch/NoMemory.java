package dev.treadle.dispatch;

import java.util.concurrent.locks.LockSupport;

/** The rest before the next try of what must be done and for which there was no memory: others let go when they end. */
final class NoMemory {
    private static final long REST_NANOS = 1_000_000;

    private NoMemory() {}

    /** Loads this class while there is memory: when it is needed there is none. */
    static void prepare() {
        // that it was called is enough
    }

    /** Rests a little, without memory of its own. */
    static void rest() {
        try {
            LockSupport.parkNanos(REST_NANOS);
        } catch (OutOfMemoryError e) {
            // a virtual thread needs some even to wait
            Thread.onSpinWait();
        }
    }
}
