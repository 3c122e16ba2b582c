package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of one request type. One handler instance serves many jobs at once, so it must be thread-safe.
 *
 * @param <T> the request type
 * @param <R> what the job returns; {@link Void} if nothing
 */
@FunctionalInterface
public interface JobRequestHandler<T extends JobRequest<R>, R> {
    /**
     * Does the work. Runs at least once: after a crash it may run again, so it should be safe to repeat.
     *
     * @param request the arguments
     * @param context what a running job may ask
     * @return the result; null if the job returns nothing
     * @throws Exception any exception fails this attempt; see {@link RetryPolicy}
     */
    @Nullable
    R run(T request, JobContext context) throws Exception;
}
