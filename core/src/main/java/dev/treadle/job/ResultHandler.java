package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of one request type and returns their results. One instance serves many jobs at once, so it must be
 * thread-safe.
 *
 * @param <T> the request type
 * @param <R> what the job returns
 */
@FunctionalInterface
public interface ResultHandler<T extends JobRequest<R>, R> {
    /**
     * Does the work. It runs at least once: after a crash it may run again, so it should be safe to repeat.
     *
     * @param request the arguments
     * @param context what a running job can ask for
     * @return the result; null if this job has none
     * @throws Exception any exception fails this attempt; see {@link RetryPolicy}
     */
    @Nullable
    R run(T request, JobContext context) throws Exception;
}
