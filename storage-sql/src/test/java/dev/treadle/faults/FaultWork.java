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
        HANG,
        /** Takes all the heap that it can get, for its time. */
        HOG,
        /** Fails if a thread of the server has ended that was there when it started. */
        LOOPS,
        /** Does its steps, each for its time. */
        STEPS
    }

    /** How many steps a job has. */
    static final int STEPS = 5;

    static FaultWork good(int n, int millis) {
        return new FaultWork(n, millis, Kind.GOOD);
    }

    static FaultWork hang(int n) {
        return new FaultWork(n, 0, Kind.HANG);
    }

    static FaultWork hog(int n, int millis) {
        return new FaultWork(n, millis, Kind.HOG);
    }

    static FaultWork loops(int n) {
        return new FaultWork(n, 0, Kind.LOOPS);
    }

    static FaultWork steps(int n, int millis) {
        return new FaultWork(n, millis, Kind.STEPS);
    }

    static FaultWork poison(int n) {
        return new FaultWork(n, 0, Kind.POISON);
    }
}
