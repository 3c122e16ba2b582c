package dev.treadle.storage;

import dev.treadle.job.JobId;
import dev.treadle.job.JobStep;
import dev.treadle.job.NodeId;
import dev.treadle.job.RunNotes;
import dev.treadle.lifecycle.Completion;
import dev.treadle.lifecycle.RunId;
import dev.treadle.lifecycle.StopRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to single runs of jobs: the wish that they end, what they tell, what they returned. Calls behave as those
 * of {@link StorageProvider}. Thread-safe.
 */
public interface RunStorage {
    /** Most runs or jobs that one call takes or gives, in runs. */
    int RUNS_MAX = StorageProvider.BATCH_MAX;

    /**
     * Runs that lost their lease, because their job was cancelled or taken over by another node, and that were not said to
     * have {@linkplain #ended ended}; oldest first, at most {@link #RUNS_MAX}.
     *
     * @param node whose runs; null for those of all living nodes
     */
    List<StopRequest> stopRequests(@Nullable NodeId node);

    /** The runs of all living nodes that should have ended and have not. */
    default List<StopRequest> stillRunning() {
        return stopRequests(null);
    }

    /** Says that runs have really ended. Runs without a stop request are skipped. */
    void ended(Collection<RunId> runs);

    /**
     * Keeps what runs tell. Repeating a call changes nothing, notes of an older run do not replace those of a newer
     * one, and notes of a job that does not exist are skipped.
     *
     * @param told at most {@link #RUNS_MAX}
     */
    void tell(List<NotesUpdate> told);

    /** Most lines of one job that one call gives, in lines. */
    int LINES_MAX = 10_000;

    /** What the last run that told anything told; the last {@link #LINES_MAX} lines of all runs. Empty if none did. */
    default Optional<RunNotes> notes(JobId id) {
        return notes(id, null, LINES_MAX).map(NotesPage::toNotes);
    }

    /**
     * The same with some of the lines.
     *
     * @param after the lines behind that place; null for the last ones
     * @param max   most lines to give, 1 to {@link #LINES_MAX}
     */
    Optional<NotesPage> notes(JobId id, NotesPage.@Nullable Place after, int max);

    /**
     * The recorded steps of a job, in the order in which they were recorded.
     *
     * @param from how many to pass over
     * @param max  most steps to give, 1 to {@link JobStep#STEPS_MAX}
     */
    List<JobStep> steps(JobId job, int from, int max);

    /**
     * Records a step, if its run still holds the lease and no step of that name is recorded. The lease cannot be
     * taken while this call is under way, so the next run finds every step that was recorded before it.
     */
    StepAnswer recordStep(RunId run, NewStep step);

    /** What suspended jobs wait at. */
    GateStorage gates();

    /**
     * How jobs ended, each at its last ending.
     *
     * @param ids at most {@link #RUNS_MAX}
     * @return one for each job that has ended, and none for the others
     */
    Map<JobId, Completion> endings(Collection<JobId> ids);

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
    sealed interface StepAnswer {
        /** It is recorded. */
        record Recorded() implements StepAnswer {}

        /** A step of that name was recorded before, and stays; it may be the same one, if the call was repeated. */
        record Known(JobStep step) implements StepAnswer {}

        /** The run does not hold the lease any more: nothing was recorded. */
        record LeaseLost() implements StepAnswer {}
    }
}
