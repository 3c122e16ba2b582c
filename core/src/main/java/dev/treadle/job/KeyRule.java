package dev.treadle.job;

import java.time.Duration;

/**
 * How many jobs of one key may run at a time, on all nodes together. A job without a key slot is Enqueued and waits in
 * the key's own queue, so jobs with other keys pass it. Mailboxes, limits and rates have keys of their own: a mailbox
 * and a limit may have the same name. If jobs of one key ask for different limits, the latest job decides.
 */
public sealed interface KeyRule {
    /** Longest key, in characters. */
    int KEY_LENGTH_MAX = 200;
    /** Most jobs of one key at a time, and most per period. */
    int COUNT_MAX = 1_000_000;
    /** The shortest period of a rate. */
    Duration PERIOD_MIN = Duration.ofMillis(1);
    /** The longest period of a rate. */
    Duration PERIOD_MAX = Duration.ofDays(400);

    /** What the jobs have in common: an order, a tenant, a service they call. */
    String key();

    /** One at a time in the order in which they came due; a job that awaits a retry or is parked keeps its place. */
    static Mailbox mailbox(String key) {
        return new Mailbox(key, false);
    }

    /** At most {@code atMost} jobs at a time. */
    static Limit limit(String key, int atMost) {
        return new Limit(key, atMost);
    }

    /**
     * A {@linkplain #limit limit} for another use: the jobs of one tenant have at most that many places in the queue,
     * so another tenant's job waits for no more than those, however many jobs the tenant has.
     */
    static Limit fair(String tenant, int atMost) {
        return new Limit(tenant, atMost);
    }

    /** At most {@code count} jobs per period. */
    static Rate rate(String key, int count, Duration period) {
        return new Rate(key, count, period);
    }

    /** The key's name in storage; of two rules with the same line the jobs stand in the same one. */
    default String line() {
        if (this instanceof Mailbox) {
            return "mailbox " + key();
        }
        return (this instanceof Limit ? "limit " : "rate ") + key();
    }

    /** How many may hold a slot at a time; 0 if slots are not counted. */
    default int atMost() {
        if (this instanceof Limit limit) {
            return limit.slots();
        }
        return this instanceof Mailbox ? 1 : 0;
    }

    /** Whether its jobs hold a slot from when they may run until they have ended. */
    default boolean isCounted() {
        return atMost() > 0;
    }

    /** Whether a job keeps its slot while it awaits a retry or is parked. */
    default boolean isHeldThroughout() {
        return this instanceof Mailbox mailbox && !mailbox.skips();
    }

    /**
     * One at a time, in the order in which they came due.
     *
     * @param skips a job that awaits a retry or is parked lets the next one pass, and returns to the end of the key's
     *              queue
     */
    record Mailbox(String key, boolean skips) implements KeyRule {
        /** @throws IllegalArgumentException if the key is blank or too long */
        public Mailbox {
            checkKey(key);
        }

        /** The same, but a job that awaits a retry or is parked lets the next one pass. */
        public Mailbox skippingRetries() {
            return new Mailbox(key, true);
        }
    }

    /** At most {@code slots} at a time, by priority and then in the order in which they came due. */
    record Limit(String key, int slots) implements KeyRule {
        /** @throws IllegalArgumentException naming what is out of range and its range */
        public Limit {
            checkKey(key);
            checkCount("A limit", slots);
        }
    }

    /**
     * At most {@code count} enter the queue within any {@code period}. While jobs wait, at least nine tenths of that
     * do: a tenth may come at once, so that no time is lost between two looks at the storage.
     */
    record Rate(String key, int count, Duration period) implements KeyRule {
        /** How many may come at once is the count divided by this, and at least one. */
        private static final int BURST_SHARE = 10;

        private static final long NANOS_PER_MICRO = 1_000;

        /** @throws IllegalArgumentException naming what is out of range and its range */
        public Rate {
            checkKey(key);
            checkCount("A rate", count);
            if (period.compareTo(PERIOD_MIN) < 0 || period.compareTo(PERIOD_MAX) > 0) {
                throw new IllegalArgumentException("The period " + period + " of the rate '" + key
                        + "' is out of range: " + PERIOD_MIN + " to " + PERIOD_MAX + ".");
            }
        }

        /** How many may come at once when none has come for a while. */
        public int burst() {
            return Math.max(1, count / BURST_SHARE);
        }

        /**
         * The time that each takes of the rate, rounded up to microseconds. With a burst of b and this spacing s at most
         * k jobs come within less than (k + 1 - b) · s, and s = period / (count + 1 - b) makes that the period for k =
         * count.
         */
        public Duration spacing() {
            long share = count + 1L - burst();
            long nanos = Math.floorDiv(period.toNanos() + share - 1, share);
            return Duration.ofNanos(Math.floorDiv(nanos + NANOS_PER_MICRO - 1, NANOS_PER_MICRO) * NANOS_PER_MICRO);
        }
    }

    private static void checkKey(String key) {
        if (key.isBlank() || key.length() > KEY_LENGTH_MAX) {
            throw new IllegalArgumentException("The key '" + key + "' must have 1 to " + KEY_LENGTH_MAX
                    + " characters and not be blank. Use a short name of what the jobs have in common.");
        }
    }

    private static void checkCount(String what, int count) {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException(what + " of " + count + " is out of range: 1 to " + COUNT_MAX + ".");
        }
    }
}
