package dev.treadle.job;

import java.time.Duration;
import java.util.List;

/**
 * Runs jobs of one request type together: one call for many jobs, each with an ending of its own. For work that costs
 * little more for a hundred than for one, such as a request to a service that takes lists, or an insert of many rows. One
 * instance serves several calls at once, so it must be thread-safe.
 *
 * @param <T> the request type
 * @param <R> what each job returns; {@link Void} if nothing
 */
@FunctionalInterface
public interface ChunkHandler<T extends JobRequest<R>, R> {
    /** Most jobs of one call. */
    int JOBS_MAX = 1_000;
    /** The longest that the first job of a chunk waits for others: it is leased to its node in that time. */
    Duration PATIENCE_MAX = Duration.ofMinutes(1);

    /**
     * Does the work of all of these jobs. A job that has neither {@linkplain ChunkJob#succeed succeeded} nor {@linkplain
     * ChunkJob#fail failed} when this returns has succeeded without a result. If this throws, each of those fails with that
     * exception. It runs at least once for each job: what it says of single jobs is written when it has ended, so after a
     * crash before that all of them run again.
     *
     * @param chunk at least one job, in the order in which they were claimed
     * @throws Exception any exception fails this attempt of all jobs that have not ended; see {@link RetryPolicy}
     */
    void run(List<ChunkJob<T, R>> chunk) throws Exception;
}
