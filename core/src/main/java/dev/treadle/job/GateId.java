package dev.treadle.job;

import java.util.UUID;

/**
 * The identity of a gate, at which one job waits for others or for an event. It depends only on the job that waits and on
 * the name that its code gave, so each run of the job finds the same gate again.
 *
 * @param value a UUID that no job has
 */
public record GateId(UUID value) {
    /** The gate that a job's code calls by a name. */
    public static GateId of(JobId waiter, String name) {
        return new GateId(waiter.derive("gate " + name).value());
    }

    /** The gate of a job that runs after others. */
    public static GateId after(JobId waiter) {
        return new GateId(waiter.derive("after").value());
    }

    /**
     * The job that was spawned at this gate as the one with this number. Because its id is computed, spawning it again
     * changes nothing.
     *
     * @param ordinal from 0
     */
    public JobId child(long ordinal) {
        return JobId.of(value).derive("child " + ordinal);
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
