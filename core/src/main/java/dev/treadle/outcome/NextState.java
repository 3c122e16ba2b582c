package dev.treadle.outcome;

import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.Job;
import dev.treadle.job.RetryDecision;
import dev.treadle.job.RetryPolicy;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a job after an attempt: only here. Pure: no clock, storage or thread in it.
 *
 * @param usual the retry policy of jobs that have none of their own
 */
public record NextState(RetryPolicy usual) {

    /**
     * @param lease   the job and its lease; its attempt is the one that ended
     * @param outcome how it ended
     * @param random  a number from 0 (inclusive) to 1 (exclusive), which becomes the jitter of a retry
     */
    public Ending after(Lease lease, Outcome outcome, double random) {
        if (outcome instanceof Outcome.Completed done) {
            return new Ending.Complete(lease, done.ranFor(), done.result());
        }
        if (outcome instanceof Outcome.Snoozed snoozed) {
            return new Ending.Snooze(lease, snoozed.ranFor(), bounded(snoozed.delay()));
        }
        if (outcome instanceof Outcome.Stopped stopped) {
            return new Ending.GiveBack(lease, stopped.ranFor());
        }
        if (outcome instanceof Outcome.NotRunnable not) {
            return new Ending.Park(lease, Failure.because("NotRunnable", not.why()), not.known());
        }
        if (outcome instanceof Outcome.Threw threw) {
            return afterFailure(lease, Event.THREW, threw.ranFor(), threw.failure(), threw.decision(), random);
        }
        if (outcome instanceof Outcome.NodeLost lost) {
            return afterFailure(lease, Event.NODE_LOST, null, lost.failure(), RetryDecision.BY_POLICY, random);
        }
        throw new AssertionError("unhandled outcome " + outcome);
    }

    private Ending afterFailure(
            Lease lease, Event event, @Nullable Duration ranFor, Failure why, RetryDecision decision, double random) {
        Job job = lease.job();
        RetryPolicy policy = policy(job, decision);
        if (decision instanceof RetryDecision.GiveUp || !policy.hasAttemptAfter(job.attempt())) {
            return new Ending.Fail(lease, event, ranFor, why);
        }
        Duration delay = decision instanceof RetryDecision.After after
                ? bounded(after.delay())
                : policy.delayAfter(job.attempt(), random);
        return new Ending.Retry(lease, event, ranFor, why, delay);
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
