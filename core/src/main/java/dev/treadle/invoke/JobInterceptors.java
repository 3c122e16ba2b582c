package dev.treadle.invoke;

import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.JobContext;
import dev.treadle.job.JobId;
import dev.treadle.job.JobInterceptor;
import dev.treadle.job.JobInterceptor.Next;
import dev.treadle.job.JobTraits;
import dev.treadle.job.StateName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The interceptors of one scheduler, in the order in which they were added. Immutable. */
public final class JobInterceptors {
    /** No interceptors. */
    public static final JobInterceptors NONE = new JobInterceptors(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(JobInterceptors.class);

    private final List<JobInterceptor> all;

    private JobInterceptors(List<JobInterceptor> all) {
        this.all = all;
    }

    /** These interceptors, followed by one more. */
    public JobInterceptors with(JobInterceptor interceptor) {
        List<JobInterceptor> more = new ArrayList<>(all);
        more.add(interceptor);
        return new JobInterceptors(List.copyOf(more));
    }

    /** Whether there are no interceptors. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Calls each {@code onEnqueue}; the first exception rejects the job. */
    public JobTraits enqueue(JobId id, Invocation invocation, JobTraits traits) {
        JobTraits now = traits;
        for (JobInterceptor interceptor : all) {
            JobTraits changed = interceptor.onEnqueue(id, invocation, now);
            if (changed == null) {
                throw new IllegalStateException(
                        "The interceptor " + interceptor + " returned null for job " + id
                                + ", so the job was not stored. Return the given traits, or throw an exception to reject the job.");
            }
            now = changed;
        }
        return now;
    }

    /** Calls each {@code onEnqueued}. An exception in one does not keep the others from being called. */
    public void enqueued(List<JobId> ids) {
        callEach("onEnqueued", interceptor -> interceptor.onEnqueued(ids));
    }

    /** Runs a job inside all interceptors; the first one is outermost. */
    public @Nullable Object run(Job job, JobContext context, Next code) throws Throwable {
        return all.isEmpty() ? code.run() : from(0, job, context, code).run();
    }

    private Next from(int index, Job job, JobContext context, Next code) {
        return index == all.size()
                ? code
                : () -> all.get(index).onRun(job, context, from(index + 1, job, context, code));
    }

    /** Runs jobs of one chunk inside all interceptors; the first one is outermost. */
    public void runChunk(List<JobInterceptor.Running> chunk, Next code) throws Throwable {
        Next next = code;
        for (int i = all.size() - 1; i >= 0; i--) {
            JobInterceptor interceptor = all.get(i);
            Next rest = next;
            next = () -> {
                interceptor.onRunChunk(chunk, rest);
                return null;
            };
        }
        next.run();
    }

    /** Calls each {@code onStateChange}. An exception in one does not keep the others from being called. */
    public void stateChanged(JobId id, StateName to, @Nullable Failure why) {
        callEach("onStateChange", interceptor -> interceptor.onStateChange(id, to, why));
    }

    private void callEach(String method, Consumer<JobInterceptor> call) {
        for (JobInterceptor interceptor : all) {
            try {
                call.accept(interceptor);
            } catch (Exception | Error e) {
                // checked exceptions too: other JVM languages throw them undeclared
                LOG.error(
                        "{} of the interceptor {} threw an exception. The job is not affected.",
                        method,
                        interceptor,
                        e);
            }
        }
    }
}
