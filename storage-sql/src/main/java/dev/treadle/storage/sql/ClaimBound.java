package dev.treadle.storage.sql;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Where the next claim begins: at the last position that was claimed, so that it does not walk over the dead rows and
 * index entries of everything claimed before, which pile up as long as any transaction of the database pins the horizon.
 *
 * <p>Rows may come to stand before the bound: committed late, given back, or of higher priority. So the bound goes back
 * to the beginning at least every {@value #HELD_MILLIS_MAX} ms, and at once when a claim from it comes back short. Any
 * thread may use it; two claims at once at worst begin too early.
 */
final class ClaimBound {
    /** How long a due row may stand hidden before the bound, in milliseconds. */
    static final long HELD_MILLIS_MAX = 500;

    /** The driver sends this time as -infinity. */
    private static final Position BEGINNING = new Position(Short.MIN_VALUE, OffsetDateTime.MIN, new UUID(0, 0));

    private final LongSupplier nanoTime;
    private volatile Position position = BEGINNING;
    private volatile long sinceNanos;

    ClaimBound(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.sinceNanos = nanoTime.getAsLong();
    }

    Position position() {
        if (nanoTime.getAsLong() - sinceNanos
                > Duration.ofMillis(HELD_MILLIS_MAX).toNanos()) {
            goBack();
        }
        return position;
    }

    void advance(Position last) {
        position = last;
    }

    void goBack() {
        position = BEGINNING;
        sinceNanos = nanoTime.getAsLong();
    }

    /** A place in the order in which jobs are claimed. */
    record Position(int priority, OffsetDateTime runAt, UUID job) {
        boolean isBeginning() {
            return runAt == BEGINNING.runAt;
        }
    }
}
