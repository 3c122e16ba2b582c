package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** The result of a write that another writer may have overtaken. */
public sealed interface WriteResult {
    /** The write was made. */
    WriteResult WRITTEN = new Written(false);
    /** The write was made, and other jobs run after this one: its end may be what they wait for. */
    WriteResult FOLLOWED = new Written(true);
    /** Another writer has changed the job. */
    WriteResult STALE = new Stale(null);
    /** The job does not exist. */
    WriteResult MISSING = new Missing();
    /** Another transaction holds what the write needs, as the key of the job: nothing was written, and a later try may do it. */
    WriteResult BUSY = new Busy();

    /**
     * See {@link #WRITTEN}.
     *
     * @param isFollowed see {@link #FOLLOWED}
     */
    record Written(boolean isFollowed) implements WriteResult {}

    /**
     * See {@link #STALE}.
     *
     * @param found the state in which the job was found; null if it was not looked up
     */
    record Stale(@Nullable StateName found) implements WriteResult {}

    /** See {@link #MISSING}. */
    record Missing() implements WriteResult {}

    /** See {@link #BUSY}. */
    record Busy() implements WriteResult {}
}
