package dev.treadle.micrometer;

import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;
import java.util.TreeMap;

/** What is known when a job is enqueued; its carrier becomes headers of the job. For one thread. */
public final class JobEnqueueContext extends SenderContext<Map<String, String>> {
    private final JobId jobId;
    private final Invocation invocation;
    private final JobTraits traits;

    JobEnqueueContext(JobId jobId, Invocation invocation, JobTraits traits) {
        super(
                (carrier, name, value) -> {
                    if (carrier != null) {
                        carrier.put(name, value);
                    }
                },
                Kind.PRODUCER);
        this.jobId = jobId;
        this.invocation = invocation;
        this.traits = traits;
        setCarrier(new TreeMap<>());
    }

    /** The job's id. */
    public JobId jobId() {
        return jobId;
    }

    /** What the job calls. */
    public Invocation invocation() {
        return invocation;
    }

    /** What is stored with the job, without the headers of this observation. */
    public JobTraits traits() {
        return traits;
    }
}
