package dev.treadle.claim;

import java.time.Duration;

/**
 * How long to rest after a claim that found fewer jobs than asked for: a short time after work was found, and twice as long
 * each time there was none, up to a limit. Nudges make polling a safety net. Used by one thread.
 */
public final class PollPolicy {
    /** The rest after work was found, in milliseconds. */
    public static final long POLL_MILLIS_MIN = 20;

    private final long millisMax;
    private long millis;

    /** @param longest the rest when there is nothing to do; at least {@value #POLL_MILLIS_MIN} ms */
    public PollPolicy(Duration longest) {
        this.millisMax = longest.toMillis();
        this.millis = POLL_MILLIS_MIN;
    }

    /** The rest after a claim that found fewer jobs than it asked for. */
    public Duration restAfter(boolean foundWork) {
        Duration rest = Duration.ofMillis(foundWork ? POLL_MILLIS_MIN : millis);
        millis = foundWork ? POLL_MILLIS_MIN : Math.min(millisMax, millis * 2);
        return rest;
    }

    /** The longest rest. */
    public Duration longest() {
        return Duration.ofMillis(millisMax);
    }
}
