package dev.treadle.faults;

import dev.treadle.job.JobRequest;

/**
 * A job of the fault tests.
 *
 * @param n      its number
 * @param millis how long it takes
 * @param kind   what it does beside that
 */
public record FaultWork(int n, int millis, Kind kind) implements JobRequest<Void> {
    /** What a job does. */
    public enum Kind {
        /** Takes its time and ends well. */
        GOOD,
        /** Ends the JVM that runs it. */
        POISON,
        /** Takes as long as the worker that runs it was told. */
        HANG
    }

    static FaultWork good(int n, int millis) {
        return new FaultWork(n, millis, Kind.GOOD);
    }

    static FaultWork hang(int n) {
        return new FaultWork(n, 0, Kind.HANG);
    }

    static FaultWork poison(int n) {
        return new FaultWork(n, 0, Kind.POISON);
    }
}
