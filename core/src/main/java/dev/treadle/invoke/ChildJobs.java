package dev.treadle.invoke;

import dev.treadle.job.ChildOptions;
import dev.treadle.job.GateId;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.storage.NewJob;
import java.util.List;

/** Makes the jobs that running jobs spawn, as an enqueue would make them. Thread-safe. */
public interface ChildJobs {
    /** For nodes whose jobs spawn none. */
    ChildJobs NONE = new ChildJobs() {
        @Override
        public NewJob make(JobId id, GateId gate, JobRequest<?> request, ChildOptions options) {
            throw new UnsupportedOperationException(
                    "This node makes no jobs of requests, so its jobs have no children.");
        }

        @Override
        public void kept(List<NewJob> children) {}
    };

    /**
     * The job of a request.
     *
     * @param gate    counts its end
     * @param options what it is stored with
     */
    NewJob make(JobId id, GateId gate, JobRequest<?> request, ChildOptions options);

    /** Says that these are kept. */
    void kept(List<NewJob> children);
}
