package dev.treadle.invoke;

import dev.treadle.job.ChunkHandler;
import java.time.Duration;

/**
 * How the jobs of a request type are put together.
 *
 * @param request  the binary name of the type
 * @param jobs     the highest number of jobs in one call
 * @param patience how long the first of them waits for others
 */
public record ChunkRule(String request, int jobs, Duration patience) {
    /** @throws IllegalArgumentException if one of them is out of range */
    public ChunkRule {
        if (jobs < 1 || jobs > ChunkHandler.JOBS_MAX) {
            throw new IllegalArgumentException("The chunks of " + request + " have " + jobs
                    + " jobs, which is out of range: 1 to " + ChunkHandler.JOBS_MAX + ".");
        }
        if (patience.isNegative() || patience.compareTo(ChunkHandler.PATIENCE_MAX) > 0) {
            throw new IllegalArgumentException("The first job of a chunk of " + request + " waits " + patience
                    + " for others, which is out of range: nothing to "
                    + ChunkHandler.PATIENCE_MAX.toSeconds() + " s.");
        }
    }
}
