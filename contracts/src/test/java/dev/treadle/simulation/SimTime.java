package dev.treadle.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time, which passes only when the simulation says so; the storage's clock, which can be set; and the clocks that follow it more or less. */
final class SimTime implements InstantSource {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private long nanos;
    /** By how much the storage's clock has been set, in nanoseconds. */
    private long set;

    private long setMost;

    @Override
    public Instant instant() {
        return START.plusNanos(nanos + set);
    }

    /** Somebody sets the storage's clock, or another machine with another clock takes over; no time passes. */
    void set(long by) {
        set += by;
        setMost = Math.max(setMost, set);
    }

    /** The storage's clock is right again, and nothing that it has shown is in the future any more. */
    void setRight() {
        set = setMost;
    }

    /** Whether somebody has ever set the storage's clock. */
    boolean wasSet() {
        return set != 0 || setMost != 0;
    }

    /** Nanoseconds since this world began. */
    long nanos() {
        return nanos;
    }

    void advance(long by) {
        nanos += by;
    }

    /** Moves forward to a moment, if it has not passed. */
    void advanceTo(long moment) {
        nanos = Math.max(nanos, moment);
    }

    /**
     * A clock elsewhere.
     *
     * @param ahead how far it is ahead at the start
     * @param rate  its seconds per second of the storage
     */
    InstantSource drifting(Duration ahead, double rate) {
        Instant start = START.plus(ahead);
        return () -> start.plusNanos((long) (nanos * rate));
    }
}
