package dev.treadle.lifecycle;

import dev.treadle.job.Due;
import dev.treadle.job.Failure;
import dev.treadle.job.HistoryEntry.Event;
import dev.treadle.job.JobId;
import dev.treadle.job.JobResult;
import dev.treadle.job.StateName;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that one change of a job writes. {@link Lifecycle} decides it; a storage writes it if the job still stands at
 * {@code from}, and counts it as one job less in that state and one more in the next.
 *
 * @param job     which job
 * @param trigger what happened
 * @param from    where the job stands; it must still hold when the transition is written
 * @param to      where it goes
 * @param details what is known of it
 * @param lease   the lease under which the attempt ran that ends by this, and which must still hold; null if this ends no attempt
 */
public record Transition(
        JobId job,
        Trigger trigger,
        Position from,
        Position to,
        Details details,
        @Nullable Lease lease) {

    /**
     * The lease of the attempt that ends by this.
     *
     * @throws IllegalStateException if this ends no attempt
     */
    @Override
    public Lease lease() {
        if (lease == null) {
            throw new IllegalStateException(trigger + " of job " + job + " ends no attempt.");
        }
        return lease;
    }

    /** Whether this is how an attempt ended, so that it has a lease. */
    public boolean endsAttempt() {
        return lease != null;
    }

    /**
     * The state that follows.
     *
     * @throws NullPointerException if the job is kept no longer
     */
    public StateName next() {
        return Objects.requireNonNull(to.state(), "the job is deleted");
    }

    /** What the history says of it; null if it leaves no entry. */
    public @Nullable Event event() {
        return trigger.event();
    }

    /** How long user code ran; null if that is not known or it did not run. */
    public @Nullable Duration ranFor() {
        return details.ranFor();
    }

    /** What went wrong, or the reason given; null if nothing did. */
    public @Nullable Failure why() {
        return details.why();
    }

    /** What the attempt returned; null if nothing. */
    public @Nullable JobResult result() {
        return details.result();
    }

    /** How long the job waits for its time from now on; null if it does not, or waits for an instant. */
    public @Nullable Duration delay() {
        return to.state() == StateName.SCHEDULED && to.when() instanceof Due.After after ? after.delay() : null;
    }

    /** Whether this is what nearly all attempts do: end well and return nothing. */
    public boolean isPlain() {
        return trigger == Trigger.SUCCEED && details.result() == null;
    }

    /** Whether the job held a slot of its key and lets go of it, so that the next may have it. */
    public boolean releasesSlot() {
        return from.slot() == Slot.HELD && to.slot() != Slot.HELD;
    }

    /** Whether a run goes on that has lost its lease, and is asked to end. */
    public boolean stopsRun() {
        return from.state() == StateName.PROCESSING && trigger.takesLease();
    }

    /** The same with other details, as when its text cannot be stored. */
    public Transition with(Details details) {
        return new Transition(job, trigger, from, to, details, lease);
    }
}
