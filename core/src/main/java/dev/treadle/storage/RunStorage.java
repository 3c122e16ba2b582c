package dev.treadle.storage;

import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.RunNotes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to single runs of jobs: the wish that they end, what they tell, what they returned. Calls behave as those
 * of {@link StorageProvider}. Thread-safe.
 */
public interface RunStorage {
    /** Most runs or jobs that one call takes or gives, in runs. */
    int RUNS_MAX = StorageProvider.BATCH_MAX;

    /**
     * Runs of one node that lost their lease, because their job was cancelled or taken over by another node, and that
     * were not said to have {@linkplain #ended ended}; oldest first, at most {@link #RUNS_MAX}.
     */
    List<StopRequest> stopRequests(NodeId node);

    /** Says that runs have really ended. Runs without a stop request are skipped. */
    void ended(Collection<RunId> runs);

    /** The runs of all living nodes that should have ended and have not, oldest first, at most {@link #RUNS_MAX}. */
    List<StopRequest> stillRunning();

    /**
     * Forgets the wishes to end of nodes that are gone.
     *
     * @return how many
     */
    int forgetRunsOfGoneNodes();

    /**
     * Keeps what runs tell. Repeating a call changes nothing, notes of an older run do not replace those of a newer
     * one, and notes of a job that does not exist are skipped.
     *
     * @param told at most {@link #RUNS_MAX}
     */
    void tell(List<NotesUpdate> told);

    /** What the last run that told anything told; the lines of all runs. Empty if none did. */
    Optional<RunNotes> notes(JobId id);

    /**
     * The same with a limited number of lines, for callers that poll.
     *
     * @param after the lines behind that place; null for the last ones
     * @param max   most lines to give, 1 to {@link NotesPage#LINES_MAX}
     */
    Optional<NotesPage> notes(JobId id, NotesPage.@Nullable Place after, int max);

    /** What the steps of jobs returned. */
    StepStorage steps();

    /**
     * How jobs ended, each at its last ending.
     *
     * @param ids at most {@link #RUNS_MAX}
     * @return one for each job that has ended, and none for the others
     */
    Map<JobId, Completion> endings(Collection<JobId> ids);
}
