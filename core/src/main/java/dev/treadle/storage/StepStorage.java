package dev.treadle.storage;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.lifecycle.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the steps of jobs returned. Calls behave as those of {@link StorageProvider}. Thread-safe. */
public interface StepStorage {
    /**
     * The recorded steps of a job, in the order in which they were recorded.
     *
     * @param from how many to pass over
     * @param max  most steps to give, 1 to {@link JobStep#STEPS_MAX}
     */
    List<JobStep> list(JobId job, int from, int max);

    /**
     * Records a step, if its run still holds the lease and no step of that name is recorded. The lease cannot be
     * taken while this call is under way, so the next run finds every step that was recorded before it.
     */
    Answer record(RunId run, NewStep step);

    /**
     * A step that was done.
     *
     * @param name    at most {@link JobStep#NAME_CHARS_MAX} characters
     * @param took    how long it took
     * @param result  as JSON; null if it returned nothing
     * @param secrets names of fields in the result that people must not see
     */
    record NewStep(String name, Duration took, @Nullable String result, Set<String> secrets) {
        /** Copies the names. */
        public NewStep {
            secrets = Set.copyOf(secrets);
        }
    }

    /** What became of a step that was to be recorded. */
    sealed interface Answer {
        /** It is recorded. */
        record Recorded() implements Answer {}

        /** A step of that name was recorded before, and stays; it may be the same one, if the call was repeated. */
        record Known(JobStep step) implements Answer {}

        /** The run does not hold the lease any more: nothing was recorded. */
        record LeaseLost() implements Answer {}
    }
}
