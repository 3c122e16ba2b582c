package dev.treadle.engine;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;

/** Time that never jumps: the system clock's time at the start, plus what the monotonic clock has measured since. */
final class SteadyTime implements InstantSource {
    private final Instant began = Clock.systemUTC().instant();
    private final long nanosAtStart = System.nanoTime();

    @Override
    public Instant instant() {
        return began.plusNanos(System.nanoTime() - nanosAtStart);
    }
}
