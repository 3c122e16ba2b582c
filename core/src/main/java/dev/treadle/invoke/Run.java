package dev.treadle.invoke;

import dev.treadle.job.JobContext;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import org.jspecify.annotations.Nullable;

/** One run, as its scopes and its transactions see it. */
interface Run extends JobContext {
    Lease lease();

    /** Lends threads to forks. */
    ForkThreads threads();

    boolean hasLoggingContext();

    /** How often something was taken. */
    int taken();

    /** The code that has opened a scope begins to wait for its forks. */
    void codeWaits();

    /** @throws IllegalStateException on a thread other than that of the job's own code */
    void demandOwnThread();

    /** The same, said of children and events. */
    void demandOwnThreadForGates();

    boolean hasLostLease();

    /**
     * How the run ends if its code returns now.
     *
     * @param result what it returns
     */
    Transition success(@Nullable Object result);
}
