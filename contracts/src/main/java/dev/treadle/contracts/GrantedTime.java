package dev.treadle.contracts;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Time as far as this machine grants it to threads: what a thread counts that does nothing but nap. Where the machine
 * stands still, or lets threads wait for a processor, however long, that counts as one nap. So it may be asserted that
 * something is quick, also on a machine that is busy with something else. Thread-safe.
 *
 * <pre>{@code
 * try (GrantedTime time = GrantedTime.begin()) {
 *     scheduler.cancel(id, "anna", null);
 *     ended.await();
 *     assertTrue(time.passed().toMillis() < 1_000);
 * }
 * }</pre>
 */
public final class GrantedTime implements AutoCloseable {
    private static final Duration NAP = Duration.ofMillis(5);

    private volatile long naps;
    private volatile boolean closed;

    private GrantedTime() {}

    /** Begins to count, on a thread of its own. */
    public static GrantedTime begin() {
        GrantedTime time = new GrantedTime();
        Thread thread = new Thread(time::count, "granted-time");
        thread.setDaemon(true);
        thread.start();
        return time;
    }

    /** What has been granted since it began: about as much as has passed if nothing else happens on the machine, else less. */
    public Duration passed() {
        return NAP.multipliedBy(naps);
    }

    /** Ends the counting. */
    @Override
    public void close() {
        closed = true;
    }

    private void count() {
        long counted = 0;
        while (!closed) {
            // why not all at once: a park may end early, for no reason
            long end = System.nanoTime() + NAP.toNanos();
            for (long left; (left = end - System.nanoTime()) > 0; ) {
                LockSupport.parkNanos(left);
            }
            naps = ++counted;
        }
    }
}
