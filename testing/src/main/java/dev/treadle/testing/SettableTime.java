package dev.treadle.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Time that stands still until a test moves it. Thread-safe.
 *
 * <pre>{@code
 * SettableTime time = new SettableTime(Instant.parse("2026-01-01T00:00:00Z"));
 * StorageProvider storage = new InMemoryStorageProvider(time);
 * time.forward(Duration.ofHours(1)); // everything scheduled for the next hour is due
 * }</pre>
 */
public final class SettableTime implements InstantSource {
    private final AtomicReference<Instant> now;

    /** Time that stands at {@code start}. */
    public SettableTime(Instant start) {
        this.now = new AtomicReference<>(start);
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /** Moves to an instant; an earlier one stands for a clock that was set back. */
    public void set(Instant instant) {
        now.set(instant);
    }

    /**
     * Moves forward.
     *
     * @return the time it is now
     * @throws IllegalArgumentException if {@code time} is negative; {@link #set} goes back
     */
    public Instant forward(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("SettableTime.forward(" + time + ") would go back; use set for that.");
        }
        return now.updateAndGet(before -> before.plus(time));
    }
}
