package dev.treadle.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs code around each enqueue, run and state change, for example for logging contexts, tenants or tracing.
 * Interceptors are called in the order in which they were added; around a run the first one is outermost. Must be
 * thread-safe.
 */
public interface JobInterceptor {
    /**
     * Called before a job is stored, on the thread that enqueues it.
     *
     * @param traits the job's traits, including what earlier interceptors changed
     * @return the same traits or changed ones
     * @throws RuntimeException to reject the job: the caller of enqueue gets this exception, and nothing is stored
     */
    default JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
        return traits;
    }

    /**
     * Called after jobs were stored, on the thread that enqueued them. An exception is logged and changes nothing,
     * because the jobs are already stored. If the process ends at this moment, the call never happens.
     */
    default void onEnqueued(List<JobId> ids) {}

    /**
     * Called around one run, on the thread that runs the job.
     *
     * @param job     in the state Processing; it has the names that it would be stored under now, and its arguments as they
     *                are stored
     * @param context the context that the job gets
     * @param next    the next interceptor, or the job itself; its return value is the job's result
     * @return the result of the run, usually that of {@code next}
     * @throws Throwable to fail the attempt as if the job had thrown it, whether or not the job ran
     */
    default @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
        return next.run();
    }

    /**
     * Called around one call of a {@link ChunkHandler}, on the thread that runs it. Unless it is overridden it calls {@link
     * #onRun} for each of the jobs, one inside the other. Override it where only one job can be meant at a time, as with a
     * tenant that belongs to the thread.
     *
     * @param chunk the jobs of the call
     * @param next  the next interceptor, or the call itself
     * @throws Throwable to fail the jobs that the call has not ended
     */
    default void onRunChunk(List<Running> chunk, Next next) throws Throwable {
        Next all = next;
        for (int i = chunk.size() - 1; i >= 0; i--) {
            Running one = chunk.get(i);
            Next rest = all;
            all = () -> onRun(one.job, one.context, rest);
        }
        all.run();
    }

    /**
     * A job that runs.
     *
     * @param job     in the state Processing
     * @param context the context that it got
     */
    record Running(Job job, JobContext context) {}

    /**
     * Called after this process has stored a state change: the end of an attempt that ran here, or an operator's action
     * that was taken here. For attempts it runs on one of the two threads that record outcomes, so it must be quick. An
     * exception is logged and changes nothing.
     *
     * @param to  the job's new state
     * @param why the failure or the reason given; null if there is none
     */
    default void onStateChange(JobId id, StateName to, @Nullable Failure why) {}

    /** The rest of the chain, which ends in the job's own code. */
    @FunctionalInterface
    interface Next {
        /** Continues. Call it once; if it is not called, the job's code does not run and the attempt still succeeds. */
        @Nullable
        Object run() throws Throwable;
    }
}
