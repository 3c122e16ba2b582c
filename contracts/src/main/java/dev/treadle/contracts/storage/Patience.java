package dev.treadle.contracts.storage;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The one place where tests wait, never longer than {@link #LIMIT}. */
final class Patience {
    /** Long, because a loaded machine is no reason to fail; what comes, comes much sooner. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);
    /** Longer than a tick of any clock that storages use. */
    private static final Duration MOMENT = Duration.ofMillis(3);

    private Patience() {}

    /** Looks again and again until there is an answer. */
    static <T> T until(String what, Supplier<Optional<T>> look) {
        long start = System.nanoTime();
        while (true) {
            Optional<T> seen = look.get();
            if (seen.isPresent()) {
                return seen.get();
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("waited " + LIMIT + " without success until " + what);
            }
            pass(BETWEEN_LOOKS);
        }
    }

    /** Looks again and again until it holds. */
    static void untilTrue(String what, BooleanSupplier holds) {
        until(what, () -> holds.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Lets so much time pass that the storage's clock shows another time. */
    static void moment() {
        pass(MOMENT);
    }

    /** Lets time pass, in this process and therefore in the storage. */
    static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left; (left = end - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(left);
        }
    }
}
