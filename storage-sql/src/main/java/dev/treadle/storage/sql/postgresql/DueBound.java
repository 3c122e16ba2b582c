package dev.treadle.storage.sql.postgresql;

import java.time.OffsetDateTime;
import java.util.concurrent.atomic.AtomicReference;
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
    private final AtomicReference<OffsetDateTime> since = new AtomicReference<>(EVER);

    DueBound(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.beginnings = new ScanPacer(nanoTime);
    }

    /**
     * One look, which begins at that time.
     *
     * @param seen the bound at that moment
     */
    record Look(OffsetDateTime from, OffsetDateTime seen, boolean isBeginning, long beganNanos) {}

    Look look() {
        boolean beginning = beginnings.isDue();
        OffsetDateTime seen = since.get();
        return new Look(beginning ? EVER : seen, seen, beginning, nanoTime.getAsLong());
    }

    /** @param nothingUntil the time at which the look found that nothing was due; null if something was, or it did not ask */
    void looked(Look look, @Nullable OffsetDateTime nothingUntil) {
        if (look.isBeginning) {
            beginnings.looked(look.beganNanos);
        }
        if (nothingUntil != null) {
            // counts only if nothing has come late since the look began
            since.compareAndSet(look.seen, nothingUntil.minus(ClaimBound.LATE));
        }
    }

    /** A transaction that began then has put jobs: the next look finds them. */
    void committedLate(OffsetDateTime began) {
        since.updateAndGet(before -> before.isAfter(began) ? began : before);
    }
}
