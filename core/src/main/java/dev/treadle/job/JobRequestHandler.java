package dev.treadle.job;

/**
 * Runs the jobs of one request type that return nothing. {@link ResultHandler} is for those with a result. One instance
 * serves many jobs at once, so it must be thread-safe.
 *
 * @param <T> the request type
 */
@FunctionalInterface
public interface JobRequestHandler<T extends JobRequest<Void>> {
    /**
     * Does the work. It runs at least once: after a crash it may run again, so it should be safe to repeat.
     *
     * @param request the arguments
     * @param context what a running job can ask for
     * @throws Exception any exception fails this attempt; see {@link RetryPolicy}
     */
    void run(T request, JobContext context) throws Exception;
}
