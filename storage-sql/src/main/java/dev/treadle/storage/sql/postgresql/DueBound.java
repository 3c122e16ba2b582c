package dev.treadle.storage.sql.postgresql;

import java.time.OffsetDateTime;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * From when on there may be jobs that wait for their time: all that was due before has been moved. As {@link ClaimBound},
 * it leaves room for what commits late, and looks at everything as often as {@link ScanPacer} allows. Thread-safe.
 */
final class DueBound {
    /** Earlier than all times that are kept. */
    private static final OffsetDateTime EVER = OffsetDateTime.parse("0001-01-01T00:00:00Z");

    private final ScanPacer beginnings;
    private final LongSupplier nanoTime;
    private volatile OffsetDateTime since = EVER;

    DueBound(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.beginnings = new ScanPacer(nanoTime);
    }

    /** One look, which begins at that time. */
    record Look(OffsetDateTime from, boolean isBeginning, long beganNanos) {}

    Look look() {
        boolean beginning = beginnings.isDue();
        return new Look(beginning ? EVER : since, beginning, nanoTime.getAsLong());
    }

    /** @param nothingUntil the time at which the look found that nothing was due; null if something was, or it did not ask */
    void looked(Look look, @Nullable OffsetDateTime nothingUntil) {
        if (look.isBeginning) {
            beginnings.looked(look.beganNanos);
        }
        if (nothingUntil != null) {
            since = nothingUntil.minus(ClaimBound.LATE);
        }
    }
}
