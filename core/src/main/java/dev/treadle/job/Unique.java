package dev.treadle.job;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Allows at most one job of a name at a time: how the name is made, how long the first job holds it, and what happens
 * to a second job. Immutable.
 *
 * @param by         how the name is made
 * @param span       how long a job that holds the name blocks the next one
 * @param period     for how long after its enqueue it blocks, for {@link Span#PERIOD} only; null for the others
 * @param onConflict what happens to the next job
 */
public record Unique(By by, Span span, @Nullable Duration period, OnConflict onConflict) {
    /** Longest explicit name, in characters. */
    public static final int NAME_LENGTH_MAX = 200;
    /** The longest period. */
    public static final Duration PERIOD_MAX = Duration.ofDays(400);

    /** How the name of a job is made. */
    public sealed interface By {}

    /** A name of your own, the same for all types of jobs. */
    public record Name(String name) implements By {
        /** @throws IllegalArgumentException if it is blank or too long */
        public Name {
            if (name.isBlank() || name.length() > NAME_LENGTH_MAX) {
                throw new IllegalArgumentException("The unique name '" + name + "' must have 1 to " + NAME_LENGTH_MAX
                        + " characters and not be blank.");
            }
        }
    }

    /**
     * The target, and some of its arguments.
     *
     * @param chosen fields of a request, or positions from 0 of a call's arguments; null for all, empty for none
     */
    public record Call(@Nullable List<String> chosen) implements By {
        /** Copies. */
        public Call {
            chosen = chosen == null ? null : List.copyOf(chosen);
        }
    }

    /** How long a job blocks the next one of its name. */
    public enum Span {
        /** Until it is first leased, and while it awaits a retry or is parked. */
        WAITING,
        /** Until it has ended. */
        WAITING_OR_RUNNING,
        /** For a while after it was enqueued, whatever its state. */
        PERIOD
    }

    /** What happens to the next job. */
    public enum OnConflict {
        /** The first job stays as it is, and the next one is not stored. */
        KEEP,
        /** The first job takes over the call, the traits and the time of the next one, unless it runs or has ended. */
        REPLACE,
        /** The next job is refused. The caller gets an exception, or an answer if it asked for one. */
        REJECT
    }

    /** @throws IllegalArgumentException if a period is missing, or given for a span without one */
    public Unique {
        if ((span == Span.PERIOD) != (period != null)) {
            throw new IllegalArgumentException("A period belongs to the span PERIOD and to no other.");
        }
        if (period != null && (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(PERIOD_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "The period " + period + " is out of range: 1 ms to " + PERIOD_MAX.toDays() + " days.");
        }
    }

    /** One job of this name until it has ended; a second one is not stored. */
    public static Unique by(String name) {
        return new Unique(new Name(name), Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);
    }

    /** One job with this target and these arguments until it has ended; a second one is not stored. */
    public static Unique byCall() {
        return new Unique(new Call(null), Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);
    }

    /**
     * One job with this target and these values of the chosen arguments; a second one is not stored.
     *
     * @param chosen fields of a request, or positions from 0 of a call's arguments; none means one job per target
     */
    public static Unique byArguments(String... chosen) {
        return new Unique(new Call(List.of(chosen)), Span.WAITING_OR_RUNNING, null, OnConflict.KEEP);
    }

    /** The same, but a job blocks the next one only until it is leased. */
    public Unique whileWaiting() {
        return new Unique(by, Span.WAITING, null, onConflict);
    }

    /** The same, and a job blocks the next one until it has ended. */
    public Unique whileWaitingOrRunning() {
        return new Unique(by, Span.WAITING_OR_RUNNING, null, onConflict);
    }

    /** The same, and a job blocks the next one for this long after it was enqueued, whatever its state. */
    public Unique during(Duration period) {
        return new Unique(by, Span.PERIOD, period, onConflict);
    }

    /** The same with another treatment of the next job of the name. */
    public Unique onConflict(OnConflict onConflict) {
        return new Unique(by, span, period, onConflict);
    }
}
