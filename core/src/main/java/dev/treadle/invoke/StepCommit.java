package dev.treadle.invoke;

import dev.treadle.job.JobStep;
import dev.treadle.lifecycle.RunId;
import dev.treadle.storage.JobTransactions;
import dev.treadle.storage.TransactionalStorage;
import java.lang.reflect.Type;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The record of a step, written at the end of the transaction in which the step was done. Used by the thread of the run.
 *
 * @param began when the step began
 * @param <R>   what it returns
 */
record StepCommit<R extends @Nullable Object>(RunSteps steps, RunId run, String name, Type type, Instant began)
        implements RunTransactions.LastWrites<R> {
    @Override
    public void write(TransactionalStorage in, R result) {
        JobStep known = steps.recordIn(in, this, result);
        if (known != null) {
            throw new KnownStepException(known);
        }
    }

    @Override
    public boolean isCommitted(JobTransactions look) {
        // why asked although its answer says nothing here: it waits until the transaction has ended in the database
        look.standing(run);
        return steps.isRecorded(name);
    }

    @Override
    public boolean endsRun() {
        return false;
    }

    /** Rolls the transaction back: the step was recorded before. */
    static final class KnownStepException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient JobStep step;

        KnownStepException(JobStep step) {
            super("The step was recorded before.", null, false, false);
            this.step = step;
        }

        JobStep step() {
            return step;
        }
    }
}
