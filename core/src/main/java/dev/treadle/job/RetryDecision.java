package dev.treadle.job;

import java.time.Duration;

/** What a thrown exception means for the attempts that are left. */
public sealed interface RetryDecision {
    /** Let the job's {@link RetryPolicy} decide. */
    RetryDecision BY_POLICY = new ByPolicy();
    /** Fail for good, whatever attempts are left. */
    RetryDecision GIVE_UP = new GiveUp();

    /** Try again after exactly this wait, if an attempt is left. */
    static RetryDecision after(Duration delay) {
        return new After(delay);
    }

    /** Let this policy decide instead of the job's own: its attempts and its waits. */
    static RetryDecision under(RetryPolicy policy) {
        return new Under(policy);
    }

    /** See {@link #BY_POLICY}. */
    record ByPolicy() implements RetryDecision {}

    /** See {@link #under}. */
    record Under(RetryPolicy policy) implements RetryDecision {}

    /** See {@link #GIVE_UP}. */
    record GiveUp() implements RetryDecision {}

    /**
     * See {@link #after}.
     *
     * @param delay zero or more
     */
    record After(Duration delay) implements RetryDecision {
        /** @throws IllegalArgumentException if the wait is negative */
        public After {
            if (delay.isNegative()) {
                throw new IllegalArgumentException(
                        "RetryDecision.after(" + delay + "): the wait must not be negative.");
            }
        }
    }
}
