package dev.treadle.lifecycle;

import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.StateName;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The terms under which a job holds a name: pure, so that every storage decides alike.
 *
 * @param whileRunning also while it is leased
 * @param until        until then, wherever it stands; null if it depends on where it stands
 */
public record UniqueTerms(boolean whileRunning, @Nullable Instant until) {
    /** The terms of a job that takes a name now. */
    public static UniqueTerms of(Asked asked, Instant now) {
        return switch (asked.span()) {
            case WAITING -> new UniqueTerms(false, null);
            case WAITING_OR_RUNNING -> new UniqueTerms(true, null);
            case PERIOD -> new UniqueTerms(true, asked.period() == null ? now : now.plus(asked.period()));
        };
    }

    /** Whether a job that stands there, or is nowhere, still stands in the way of others. */
    public boolean hold(@Nullable StateName state, Instant now) {
        if (until != null) {
            return until.isAfter(now);
        }
        return state != null && (isWaiting(state) || whileRunning && hasBegun(state));
    }

    /** Whether nobody needs these terms any more, whatever becomes of the job. */
    public boolean areOver(@Nullable StateName state, Instant now) {
        return until == null ? state == null || state.isFinal() : !until.isAfter(now);
    }

    /** What becomes of the next job while these terms hold for one that stands there. */
    public static Answer conflict(OnConflict asked, @Nullable StateName holder) {
        return switch (asked) {
            case KEEP -> Answer.KEPT;
            case REJECT -> Answer.REJECTED;
            case REPLACE -> holder != null && isWaiting(holder) ? Answer.REPLACED : Answer.KEPT;
        };
    }

    /** A job that waits at a gate is in the middle of its work. */
    private static boolean hasBegun(StateName state) {
        return state == StateName.PROCESSING || state == StateName.WAITING;
    }

    private static boolean isWaiting(StateName state) {
        return switch (state) {
            case SCHEDULED, ENQUEUED, PARKED -> true;
            case PROCESSING, WAITING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    }

    /**
     * What a job asks for. A name is held under the terms of the job that holds it; what happens to the next is
     * decided by the next.
     *
     * @param name   at most 300 characters
     * @param period for {@link Span#PERIOD}; null for the others
     */
    public record Asked(String name, Span span, @Nullable Duration period, OnConflict onConflict) {}
}
