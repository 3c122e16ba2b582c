package dev.treadle.storage;

import dev.treadle.job.Due;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.lifecycle.RecurringJob;
import java.time.Instant;

/**
 * A job to be kept.
 *
 * @param id         its name, made by the caller
 * @param invocation what it calls
 * @param due        when it may run
 * @param traits     what else it asks for, with {@linkplain JobTraits#withAmountsRoundedUp amounts rounded up}
 */
public record NewJob(JobId id, Invocation invocation, Due due, JobTraits traits) {
    /** Rounds up what it uses: here, because every job that is put into a lane for the first time is one of these. */
    public NewJob {
        traits = traits.withAmountsRoundedUp();
        if (due instanceof Due.AfterJobs after && after.jobs().contains(id)) {
            throw new IllegalArgumentException("Job " + id + " cannot run after itself.");
        }
    }

    /** The job of a slot of a recurring job. */
    public static NewJob of(RecurringJob recurring, Instant slot) {
        RecurringJob.Plan plan = recurring.plan();
        return new NewJob(recurring.jobId(slot), plan.invocation(), recurring.dueOf(slot), plan.traits());
    }

    /** Smaller runs first. */
    public int priority() {
        return traits.priority();
    }

    /** Where it waits. */
    public Lane lane() {
        return traits.lane();
    }
}
