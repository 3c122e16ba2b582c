package dev.treadle.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does something around each enqueue, run and change of state, for logging contexts, tenants or tracing. Filters are
 * asked in the order in which they were given; around a run the first one is the outermost. Must be thread-safe.
 */
public interface JobInterceptor {
    /**
     * Before a job is kept, on the thread that enqueues it.
     *
     * @param traits what it asks for; with what the filters before this one changed
     * @return the same or others
     * @throws RuntimeException refuses the job: whoever enqueues it gets this exception, and nothing was kept
     */
    default JobTraits onEnqueue(JobId id, Invocation invocation, JobTraits traits) {
        return traits;
    }

    /**
     * After jobs have been kept, on the thread that enqueued them. What this throws is logged and changes nothing: the
     * jobs are kept. When a process ends at this moment, this is never called.
     */
    default void onEnqueued(List<JobId> ids) {}

    /**
     * Around one run, on its thread.
     *
     * @param job     in the state Processing
     * @param context as the job gets it
     * @param next    what lies within; its value is the job's result
     * @return the result of the run, usually that of {@code next}
     * @throws Throwable fails the attempt as if the job had thrown it, whether or not the job ran
     */
    default @Nullable Object onRun(Job job, JobContext context, Next next) throws Throwable {
        return next.run();
    }

    /**
     * After a change of state that this process wrote down: an attempt that ended here, or a move that somebody made
     * here. For attempts this is one of the two threads that write endings, so it must be quick. What it throws is logged and
     * changes nothing.
     *
     * @param to  what became of the job
     * @param why what went wrong or the reason given; null if nothing was said
     */
    default void onStateChange(JobId id, StateName to, @Nullable Failure why) {}

    /** The rest of the way to the job's own code. */
    @FunctionalInterface
    interface Next {
        /** Goes it. Once is usual; not at all means that the job's code does not run and it ends well all the same. */
        @Nullable
        Object run() throws Throwable;
    }
}
