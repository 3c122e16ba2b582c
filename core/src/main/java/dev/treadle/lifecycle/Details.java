package dev.treadle.lifecycle;

import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import dev.treadle.job.OperatorNote;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of something that happened, beside that it happened.
 *
 * @param ranFor how long user code ran; null if that is not known or it did not run
 * @param why    what went wrong, or the reason given; null if nothing did
 * @param by     the person or program that wanted it; null for an attempt
 * @param result what the attempt returned; null if nothing
 * @param known  of a job that is parked: the node knows the target, only the arguments or the receiver are wrong, so
 *               other nodes of the same release need not try
 */
public record Details(
        @Nullable Duration ranFor,
        @Nullable Failure why,
        @Nullable String by,
        @Nullable JobResult result,
        boolean known) {
    /** Nothing is known. */
    public static final Details NONE = new Details(null, null, null, null, false);

    /** User code ran for so long. */
    public static Details ran(Duration ranFor) {
        return new Details(ranFor, null, null, null, false);
    }

    /** Somebody wanted it. */
    public static Details of(OperatorNote note) {
        Failure why = note.why() == null ? null : Failure.because("", note.why());
        return new Details(null, why, note.by(), null, false);
    }

    /** A deadline has passed. */
    public static Details expired(Instant deadline) {
        Failure why = Failure.because(
                "Expired",
                "The job had not ended by its deadline, " + deadline
                        + ". Enqueue it anew with a later one, or run it again, which it does without one.");
        return new Details(null, why, "treadle", null, false);
    }

    /** The same with another failure. */
    public Details withWhy(Failure why) {
        return new Details(ranFor, why, by, result, known);
    }

    /** The same with another result. */
    public Details withResult(@Nullable JobResult result) {
        return new Details(ranFor, why, by, result, known);
    }
}
