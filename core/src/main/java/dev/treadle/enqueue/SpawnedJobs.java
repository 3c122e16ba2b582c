package dev.treadle.enqueue;

import dev.treadle.capture.Capture;
import dev.treadle.invoke.ChildJobs;
import dev.treadle.invoke.JobInterceptors;
import dev.treadle.job.ChildOptions;
import dev.treadle.job.GateId;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobTraits;
import dev.treadle.payload.DisplayName;
import dev.treadle.storage.NewJob;
import dev.treadle.watch.JobEvents;
import java.util.List;

/** Makes the jobs that jobs spawn as {@link Enqueuer} makes those that are enqueued. Thread-safe. */
public final class SpawnedJobs implements ChildJobs {
    private final Capture capture;
    private final JobInterceptors interceptors;
    private final DisplayName names;
    private final JobEvents events = JobEvents.ofThisJvm();

    /**
     * @param capture      turns requests into data
     * @param interceptors asked before a job is written, and told afterwards
     */
    public SpawnedJobs(Capture capture, JobInterceptors interceptors) {
        this.capture = capture;
        this.interceptors = interceptors;
        this.names = new DisplayName(capture::loaderOf, capture.names());
    }

    @Override
    public NewJob make(JobId id, GateId gate, JobRequest<?> request, ChildOptions options) {
        Invocation invocation = capture.of(request);
        JobTraits declared = names.filledIn(capture.declared().filledIn(options.traits(), invocation), invocation);
        JobTraits traits = interceptors.enqueue(id, invocation, declared);
        return new NewJob(id, invocation, options.due(), traits.withGate(gate));
    }

    @Override
    public void kept(List<NewJob> children) {
        events.enqueued(children);
        if (!interceptors.isEmpty()) {
            interceptors.enqueued(children.stream().map(NewJob::id).toList());
        }
    }
}
