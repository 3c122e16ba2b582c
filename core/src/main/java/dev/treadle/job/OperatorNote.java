package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * Who acts on a job, and why.
 *
 * @param by  a person or a program; bounded like a failure's type
 * @param why the reason; null if none was given; bounded like a failure's message
 */
public record OperatorNote(String by, @Nullable String why) {
    /** Bounds both texts. */
    public OperatorNote {
        Failure bounded = new Failure(by, why == null ? "" : why, "");
        by = bounded.type();
        why = why == null ? null : bounded.message();
    }
}
