package dev.treadle.job;

import java.time.Duration;
import java.time.Instant;

/** When a job may run. */
public sealed interface Due {
    /** The instant that this means at a time of the storage's clock. */
    default Instant from(Instant now) {
        if (this instanceof At at) {
            return at.instant();
        }
        return this instanceof After after ? now.plus(after.delay()) : now;
    }

    /** Now. */
    Due NOW = new Now();

    /** See {@link #NOW}. */
    record Now() implements Due {}

    /** At an instant of the storage's clock; at once if that has passed. */
    record At(Instant instant) implements Due {}

    /** When this much time has passed on the storage's clock; at once if zero or negative. */
    record After(Duration delay) implements Due {}
}
