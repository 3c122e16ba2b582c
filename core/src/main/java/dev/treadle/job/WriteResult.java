package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** What became of a write that depends on what others did in the meantime. */
public sealed interface WriteResult {
    /** It is written. */
    WriteResult WRITTEN = new Written();
    /** Another caller moved the job on. */
    WriteResult STALE = new Stale(null);
    /** There is no such job. */
    WriteResult MISSING = new Missing();

    /** See {@link #WRITTEN}. */
    record Written() implements WriteResult {}

    /**
     * See {@link #STALE}.
     *
     * @param found the state in which the job was found; null if it was not looked up
     */
    record Stale(@Nullable StateName found) implements WriteResult {}

    /** See {@link #MISSING}. */
    record Missing() implements WriteResult {}
}
