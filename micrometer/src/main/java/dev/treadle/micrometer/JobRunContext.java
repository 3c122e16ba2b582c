package dev.treadle.micrometer;

import dev.treadle.job.Job;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;

/** What is known about a run of a job; its carrier is the job's headers. For one thread. */
public final class JobRunContext extends ReceiverContext<Map<String, String>> {
    private final Job job;
    private final boolean isChild;
    private Outcome outcome = Outcome.RUNNING;

    /** How a run ended. */
    public enum Outcome {
        /** It has not ended. */
        RUNNING,
        /** The job's code returned. */
        COMPLETED,
        /** The job's code gave up the attempt to run again later, which is no failure. */
        SNOOZED,
        /** The job waits at a gate, which is no failure. */
        SUSPENDED,
        /** The job's code threw. */
        FAILED
    }

    JobRunContext(Job job, boolean isChild) {
        super((carrier, name) -> carrier.get(name), Kind.CONSUMER);
        this.job = job;
        this.isChild = isChild;
        setCarrier(job.traits().headers());
    }

    /** The job. */
    public Job job() {
        return job;
    }

    /** Whether the span of the run is to be a child of the span that enqueued the job, instead of being linked to it. */
    public boolean isChild() {
        return isChild;
    }

    /** How the run ended. */
    public Outcome outcome() {
        return outcome;
    }

    void ended(Outcome outcome) {
        this.outcome = outcome;
    }
}
