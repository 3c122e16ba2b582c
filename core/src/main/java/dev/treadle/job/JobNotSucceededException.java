package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/** What waiting for a job's result ends with when the job failed for good or was cancelled. */
public class JobNotSucceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable Failure failure;
    private final StateName state;

    /**
     * @param state   Failed or Cancelled
     * @param failure what went wrong, or why it was cancelled; null if nothing was said
     */
    public JobNotSucceededException(JobId id, StateName state, @Nullable Failure failure) {
        super("Job " + id + " is " + state + (failure == null ? "" : ": " + failure.type() + " " + failure.message()));
        this.state = state;
        this.failure = failure;
    }

    /** Failed or Cancelled. */
    public StateName state() {
        return state;
    }

    /** What went wrong, or why it was cancelled; null if nothing was said. */
    public @Nullable Failure failure() {
        return failure;
    }
}
