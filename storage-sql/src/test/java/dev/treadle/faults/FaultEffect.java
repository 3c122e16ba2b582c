package dev.treadle.faults;

import dev.treadle.job.JobRequest;

/**
 * A job that writes a row of its own into the table of effects.
 *
 * @param n           its number
 * @param millis      how long it takes between the effect and its end
 * @param transaction whether the effect and the success of the job are one transaction
 */
public record FaultEffect(int n, int millis, boolean transaction) implements JobRequest<Void> {
    /** What holds the effects: {@code (n, job, attempt)}. */
    static final String TABLE = "fault_effect";
}
