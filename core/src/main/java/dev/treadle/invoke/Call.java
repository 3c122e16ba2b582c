package dev.treadle.invoke;

import dev.treadle.job.JobContext;
import org.jspecify.annotations.Nullable;

/** A job's target, receiver and arguments, found and ready. Runs once, on one thread. */
@FunctionalInterface
public interface Call {
    /**
     * Runs user code and gives back what it returned.
     *
     * @throws Throwable what user code threw, as it threw it
     */
    @Nullable
    Object run(JobContext context) throws Throwable;
}
