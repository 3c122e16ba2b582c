package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** What a running job may ask about itself. Thread-safe. */
public interface JobContext {
    /**
     * A placeholder for lambdas and method references: {@code enqueue(() -> slips.generate(42L, JobContext.SUPPLIED))}
     * stores nothing, and the real context is put in its place when the job runs. Named as null because it is never
     * asked anything.
     */
    @Nullable
    JobContext SUPPLIED = null;

    /** Which job this is. */
    JobId jobId();

    /** Which attempt this is, from 1. */
    int attempt();

    /** Where it runs. */
    NodeId node();

    /** Whether the job should end soon because its server is being stopped; its thread is interrupted later. */
    boolean shouldStop();
}
