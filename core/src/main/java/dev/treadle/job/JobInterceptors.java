package dev.treadle.job;

import dev.treadle.job.JobInterceptor.Next;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All filters, in their order. Immutable. */
public final class JobInterceptors {
    /** No filter. */
    public static final JobInterceptors NONE = new JobInterceptors(List.of());

    private static final Logger LOG = LoggerFactory.getLogger(JobInterceptors.class);

    private final List<JobInterceptor> all;

    private JobInterceptors(List<JobInterceptor> all) {
        this.all = all;
    }

    /** These, and one more after them. */
    public JobInterceptors with(JobInterceptor filter) {
        List<JobInterceptor> more = new ArrayList<>(all);
        more.add(filter);
        return new JobInterceptors(List.copyOf(more));
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Asks each; the first exception refuses the job. */
    public JobTraits enqueue(JobId id, Invocation invocation, JobTraits traits) {
        JobTraits now = traits;
        for (JobInterceptor filter : all) {
            JobTraits told = filter.onEnqueue(id, invocation, now);
            if (told == null) {
                throw new IllegalStateException("The filter " + filter + " gave back null for job " + id
                        + ", which is not kept. Return the traits it was given, or throw what says why it is refused.");
            }
            now = told;
        }
        return now;
    }

    /** Tells each, whatever the others throw. */
    public void enqueued(List<JobId> ids) {
        tell("onEnqueued", filter -> filter.onEnqueued(ids));
    }

    /** Runs a job within all of them. */
    public @Nullable Object run(Job job, JobContext context, Next code) throws Throwable {
        return all.isEmpty() ? code.run() : from(0, job, context, code).run();
    }

    private Next from(int index, Job job, JobContext context, Next code) {
        return index == all.size()
                ? code
                : () -> all.get(index).onRun(job, context, from(index + 1, job, context, code));
    }

    /** Tells each, whatever the others throw. */
    public void stateChanged(JobId id, StateName to, @Nullable Failure why) {
        tell("onStateChange", filter -> filter.onStateChange(id, to, why));
    }

    private void tell(String what, Consumer<JobInterceptor> call) {
        for (JobInterceptor filter : all) {
            try {
                call.accept(filter);
            } catch (Exception | Error e) {
                // why not only unchecked ones: other languages throw the others undeclared
                LOG.error("{} of the filter {} threw; nothing else is changed by that.", what, filter, e);
            }
        }
    }
}
