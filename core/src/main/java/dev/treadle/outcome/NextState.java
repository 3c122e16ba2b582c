package dev.treadle.outcome;

import dev.treadle.job.Failure;
import dev.treadle.job.Job;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryPolicy;
import dev.treadle.lifecycle.AttemptEnd;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides how an attempt ended: whether another follows, and when. What that writes is for {@link AttemptEnd} to say. Pure:
 * no clock, storage or thread in it.
 *
 * @param usual the retry policy of jobs that have none of their own
 */
public record NextState(RetryPolicy usual) {

    /**
     * @param lease   the job and its lease; its attempt is the one that ended
     * @param outcome how it ended
     * @param random  a number from 0 (inclusive) to 1 (exclusive), which becomes the jitter of a retry
     */
    public Transition after(Lease lease, Outcome outcome, double random) {
        if (outcome instanceof Outcome.Completed done) {
            return AttemptEnd.succeeded(lease, done.ranFor(), done.result());
        }
        if (outcome instanceof Outcome.Committed committed) {
            return committed.ending();
        }
        if (outcome instanceof Outcome.Snoozed snoozed) {
            return AttemptEnd.snoozed(lease, snoozed.ranFor(), bounded(snoozed.delay()));
        }
        if (outcome instanceof Outcome.Suspended suspended) {
            return AttemptEnd.suspended(lease, suspended.ranFor());
        }
        if (outcome instanceof Outcome.Stopped stopped) {
            return AttemptEnd.stopped(lease, stopped.ranFor());
        }
        if (outcome instanceof Outcome.NotRunnable not) {
            return AttemptEnd.parked(lease, Failure.because("NotRunnable", not.why()), not.known());
        }
        if (outcome instanceof Outcome.Threw threw) {
            Duration delay = untilNext(lease.job(), threw.decision(), random);
            return delay == null
                    ? AttemptEnd.failed(lease, threw.ranFor(), threw.failure())
                    : AttemptEnd.retried(lease, threw.ranFor(), threw.failure(), delay);
        }
        if (outcome instanceof Outcome.NodeLost lost) {
            Duration delay = untilNext(lease.job(), RetryDecision.BY_POLICY, random);
            return delay == null
                    ? AttemptEnd.abandoned(lease, lost.failure())
                    : AttemptEnd.rescued(lease, lost.failure(), delay);
        }
        throw new AssertionError("unhandled outcome " + outcome);
    }

    /** How long to wait for the next attempt; null if there is none. */
    private @Nullable Duration untilNext(Job job, RetryDecision decision, double random) {
        RetryPolicy policy = policy(job, decision);
        if (decision instanceof RetryDecision.GiveUp || !policy.hasAttemptAfter(job.attempt())) {
            return null;
        }
        return decision instanceof RetryDecision.After after
                ? bounded(after.delay())
                : policy.delayAfter(job.attempt(), random);
    }

    private RetryPolicy policy(Job job, RetryDecision decision) {
        if (decision instanceof RetryDecision.Under under) {
            return under.policy();
        }
        return job.retries() == null ? usual : job.retries();
    }

    /** No storage can add an endless wait to its clock, and one ending that cannot be written would stop all others. */
    private static Duration bounded(Duration asked) {
        if (asked.isNegative()) {
            return Duration.ZERO;
        }
        return asked.compareTo(RetryPolicy.DELAY_LIMIT) > 0 ? RetryPolicy.DELAY_LIMIT : asked;
    }
}
