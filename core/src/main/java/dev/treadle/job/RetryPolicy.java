package dev.treadle.job;

import java.time.Duration;

/**
 * When a failed job is tried again: exponential backoff with jitter and a cap.
 *
 * @param attempts   attempts in all, the first included; 1 to {@value #ATTEMPTS_MAX}
 * @param firstDelay wait after the first failed attempt; at least 1 ms
 * @param factor     how much longer each further wait is; 1 to 100
 * @param delayMax   longest wait before jitter; at least {@code firstDelay}, at most 365 days
 * @param jitter     share of the wait that is random, 0 to 1: with 0.2 a wait of 10 s becomes 8 to 12 s
 */
public record RetryPolicy(int attempts, Duration firstDelay, double factor, Duration delayMax, double jitter) {
    /** Most attempts a job may have. */
    public static final int ATTEMPTS_MAX = 1_000;

    /** The longest wait before another attempt; a longer one that a job asks for counts as this. */
    public static final Duration DELAY_LIMIT = Duration.ofDays(365);

    /** Ten attempts after 5 s, 10 s, 20 s … up to an hour, each a fifth shorter or longer: 42 minutes in all. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(10, Duration.ofSeconds(5), 2, Duration.ofHours(1), 0.2);

    /** One attempt, no second. */
    public static final RetryPolicy NEVER = DEFAULT.withAttempts(1);

    /** @throws IllegalArgumentException naming the setting and its range */
    public RetryPolicy {
        check(attempts >= 1 && attempts <= ATTEMPTS_MAX, "attempts", attempts, "1 to " + ATTEMPTS_MAX);
        check(firstDelay.compareTo(Duration.ofMillis(1)) >= 0, "firstDelay", firstDelay, "at least 1 ms");
        check(factor >= 1 && factor <= 100, "factor", factor, "1 to 100");
        check(
                delayMax.compareTo(firstDelay) >= 0 && delayMax.compareTo(DELAY_LIMIT) <= 0,
                "delayMax",
                delayMax,
                firstDelay + " (firstDelay) to " + DELAY_LIMIT);
        check(jitter >= 0 && jitter <= 1, "jitter", jitter, "0 to 1");
    }

    /** The same policy with another number of attempts in all. */
    public RetryPolicy withAttempts(int attempts) {
        return new RetryPolicy(attempts, firstDelay, factor, delayMax, jitter);
    }

    /** The same policy with another first wait and longest wait. */
    public RetryPolicy withDelays(Duration firstDelay, Duration delayMax) {
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

    private static void check(boolean right, String setting, Object value, String range) {
        if (!right) {
            throw new IllegalArgumentException(
                    "RetryPolicy." + setting + " is " + value + " and must be " + range + ".");
        }
    }
}
