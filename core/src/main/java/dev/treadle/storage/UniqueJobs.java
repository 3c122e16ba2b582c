package dev.treadle.storage;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.Unique.OnConflict;
import dev.treadle.job.Unique.Span;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Unique jobs: at most one of a name. Only the insert of such a job pays for it: the engine does not know names,
 * and whether a job still holds one is looked up when the next comes. Each call commits by itself and may be repeated
 * with the same ids. Thread-safe.
 */
public interface UniqueJobs {
    /** Most names looked at by one {@link #tidy}, in names. */
    int TIDY_MAX = 500;

    /** Keeps a new job unless another stands in its way; a job with an id that is already there is left as it is. */
    EnqueueResult insert(NewJob job, Asked asked);

    /**
     * Forgets names whose job stands in nobody's way any more, one chunk of them in the order of the names.
     *
     * @param after begin after this name; empty to begin with the first
     * @return the last name looked at; null if the last chunk was looked at
     */
    @Nullable
    String tidy(String after);

    /**
     * What a job asks for. A name is held under the terms of the job that holds it; what happens to the next is
     * decided by the next.
     *
     * @param name   at most 300 characters
     * @param period for {@link Span#PERIOD}; null for the others
     */
    record Asked(String name, Span span, @Nullable Duration period, OnConflict onConflict) {}
}
