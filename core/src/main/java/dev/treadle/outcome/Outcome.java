package dev.treadle.outcome;

import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import dev.treadle.job.RetryDecision;
import dev.treadle.lifecycle.Transition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one attempt ended. */
public sealed interface Outcome {
    /** User code returned, and what it gave back is to be kept; null if that is nothing. */
    record Completed(Duration ranFor, @Nullable JobResult result) implements Outcome {
        /** It gave nothing back. */
        public Completed(Duration ranFor) {
            this(ranFor, null);
        }
    }

    /** User code committed its success by itself, in one transaction with its effect; the ending is what was written. */
    record Committed(Transition ending) implements Outcome {}

    /** User code wants to be run later. */
    record Snoozed(Duration ranFor, Duration delay) implements Outcome {}

    /** User code waits at a gate, and is called again when that opens. */
    record Suspended(Duration ranFor) implements Outcome {}

    /** User code threw, and {@code decision} is what the thrown exception means for further attempts. */
    record Threw(Duration ranFor, Failure failure, RetryDecision decision) implements Outcome {}

    /** The server is being stopped or the lease is gone, and user code ended because it was interrupted. */
    record Stopped(Duration ranFor) implements Outcome {}

    /**
     * User code was never reached.
     *
     * @param known the target is known here and only the arguments or the receiver are wrong
     */
    record NotRunnable(String why, boolean known) implements Outcome {}

    /** The node that ran it fell silent, as another node saw. */
    record NodeLost(Failure failure) implements Outcome {}
}
