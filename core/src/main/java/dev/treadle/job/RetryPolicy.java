package dev.treadle.job;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a failed job is tried again: exponential backoff with jitter and a cap. Immutable.
 *
 * <pre>{@code
 * RetryPolicy.DEFAULT.withAttempts(3).withDelays(Duration.ofSeconds(1), Duration.ofMinutes(1))
 * }</pre>
 */
public final class RetryPolicy {
    /** Most attempts a job may have. */
    public static final int ATTEMPTS_MAX = 1_000;

    /** The longest wait before another attempt; a longer one that a job asks for is shortened to this. */
    public static final Duration DELAY_LIMIT = Duration.ofDays(365);

    /** Ten attempts after 5 s, 10 s, 20 s … up to an hour, each a fifth shorter or longer: 42 minutes in all. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(10, Duration.ofSeconds(5), 2, Duration.ofHours(1), 0.2);

    /** A single attempt. */
    public static final RetryPolicy NEVER = DEFAULT.withAttempts(1);

    private final int attempts;
    private final Duration firstDelay;
    private final double factor;
    private final Duration delayMax;
    private final double jitter;

    /** Private: with two spans and two numbers, a call could swap them unseen. */
    private RetryPolicy(int attempts, Duration firstDelay, double factor, Duration delayMax, double jitter) {
        check(attempts >= 1 && attempts <= ATTEMPTS_MAX, "attempts", attempts, "1 to " + ATTEMPTS_MAX);
        check(firstDelay.compareTo(Duration.ofMillis(1)) >= 0, "firstDelay", firstDelay, "at least 1 ms");
        check(factor >= 1 && factor <= 100, "factor", factor, "1 to 100");
        check(
                delayMax.compareTo(firstDelay) >= 0 && delayMax.compareTo(DELAY_LIMIT) <= 0,
                "delayMax",
                delayMax,
                firstDelay + " (firstDelay) to " + DELAY_LIMIT);
        check(jitter >= 0 && jitter <= 1, "jitter", jitter, "0 to 1");
        this.attempts = attempts;
        this.firstDelay = firstDelay;
        this.factor = factor;
        this.delayMax = delayMax;
        this.jitter = jitter;
    }

    /** Attempts in all, the first included. */
    public int attempts() {
        return attempts;
    }

    /** The wait after the first failed attempt. */
    public Duration firstDelay() {
        return firstDelay;
    }

    /** How much longer each further wait is. */
    public double factor() {
        return factor;
    }

    /** The longest wait before jitter. */
    public Duration delayMax() {
        return delayMax;
    }

    /** The share of the wait that is random. */
    public double jitter() {
        return jitter;
    }

    /**
     * The same policy with another number of attempts in all.
     *
     * @param attempts the first included; 1 to {@value #ATTEMPTS_MAX}
     * @throws IllegalArgumentException if it is out of range
     */
    public RetryPolicy withAttempts(int attempts) {
        return new RetryPolicy(attempts, firstDelay, factor, delayMax, jitter);
    }

    /**
     * The same policy with another first wait and longest wait.
     *
     * @param firstDelay at least 1 ms
     * @param delayMax   before jitter; at least {@code firstDelay}, at most 365 days
     * @throws IllegalArgumentException if one is out of range
     */
    public RetryPolicy withDelays(Duration firstDelay, Duration delayMax) {
        return new RetryPolicy(attempts, firstDelay, factor, delayMax, jitter);
    }

    /**
     * The same policy with another growth of the waits.
     *
     * @param factor how much longer each further wait is; 1 to 100
     * @throws IllegalArgumentException if it is out of range
     */
    public RetryPolicy withFactor(double factor) {
        return new RetryPolicy(attempts, firstDelay, factor, delayMax, jitter);
    }

    /**
     * The same policy with another jitter.
     *
     * @param jitter share of the wait that is random, 0 to 1: with 0.2 a wait of 10 s becomes 8 to 12 s
     * @throws IllegalArgumentException if it is out of range
     */
    public RetryPolicy withJitter(double jitter) {
        return new RetryPolicy(attempts, firstDelay, factor, delayMax, jitter);
    }

    /** Whether an attempt is left after {@code attempt} of them have been made. */
    public boolean hasAttemptAfter(int attempt) {
        return attempt < attempts;
    }

    /**
     * The wait after a failed attempt.
     *
     * @param attempt how many attempts have been made, from 1
     * @param random  a number from 0 (inclusive) to 1 (exclusive), which becomes the jitter
     */
    public Duration delayAfter(int attempt, double random) {
        double millis = Math.min(firstDelay.toMillis() * Math.pow(factor, attempt - 1.0), delayMax.toMillis());
        return Duration.ofMillis(Math.max(1, Math.round(millis * (1 + jitter * (2 * random - 1)))));
    }

    /** The policy as one line of text that {@link #parse} reads back. */
    public String toText() {
        return attempts + " " + firstDelay + " " + factor + " " + delayMax + " " + jitter;
    }

    /**
     * Reads what {@link #toText} wrote.
     *
     * @throws IllegalArgumentException if the text is something else
     */
    public static RetryPolicy parse(String text) {
        String[] part = text.split(" ");
        if (part.length != 5) {
            throw new IllegalArgumentException("Not a retry policy: '" + text + "'");
        }
        try {
            return new RetryPolicy(
                    Integer.parseInt(part[0]),
                    Duration.parse(part[1]),
                    Double.parseDouble(part[2]),
                    Duration.parse(part[3]),
                    Double.parseDouble(part[4]));
        } catch (java.time.DateTimeException e) {
            throw new IllegalArgumentException("Not a retry policy: '" + text + "'", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RetryPolicy policy
                && attempts == policy.attempts
                && firstDelay.equals(policy.firstDelay)
                && Double.compare(factor, policy.factor) == 0
                && delayMax.equals(policy.delayMax)
                && Double.compare(jitter, policy.jitter) == 0;
    }

    @Override
    public int hashCode() {
        return Objects.hash(attempts, firstDelay, factor, delayMax, jitter);
    }

    @Override
    public String toString() {
        return "RetryPolicy[" + toText() + "]";
    }

    private static void check(boolean right, String setting, Object value, String range) {
        if (!right) {
            throw new IllegalArgumentException(
                    "RetryPolicy." + setting + " is " + value + " and must be " + range + ".");
        }
    }
}
