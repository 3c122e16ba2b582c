package dev.treadle;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The one place where core's tests wait, never longer than {@link #LIMIT}. */
public final class Await {
    /** Long, because a loaded machine is no reason to fail; what comes, comes much sooner. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

    private Await() {}

    /** Looks again and again until it holds. */
    public static void until(String what, BooleanSupplier holds) {
        long start = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("waited " + LIMIT + " in vain until " + what);
            }
            pass(BETWEEN_LOOKS);
        }
    }

    /** Lets time pass, to see that something does not happen. */
    public static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left; (left = end - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(left);
        }
    }
}
