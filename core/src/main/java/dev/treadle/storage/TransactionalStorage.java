package dev.treadle.storage;

import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.Transition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with jobs inside a transaction of the application, too: a {@link StorageProvider} does it in
 * transactions of its own, and what {@link StorageProvider#in} returns does it in the caller's.
 */
public interface TransactionalStorage {
    /** Most jobs that one call takes or gives, in jobs. */
    int BATCH_MAX = 1_000;

    /**
     * Keeps new jobs: due ones as Enqueued, the others as Scheduled. A job whose id is already there is left as it is;
     * of several with the same id in one call the first is kept. Jobs with a {@linkplain dev.treadle.job.KeyRule key}
     * go to its line in the order of the list, and on to where they can be claimed as far as there is room.
     *
     * @param jobs at most {@link #BATCH_MAX}
     * @return the ids that were already there; whether an id that comes twice in this call is among them is left open
     */
    default Set<JobId> insert(List<NewJob> jobs) {
        return insert(jobs, null);
    }

    /**
     * The same with an audit row in the same transaction.
     *
     * @param act what an operator did; null if none did
     */
    Set<JobId> insert(List<NewJob> jobs, @Nullable OperatorAct act);

    /**
     * Writes down how attempts ended, each only if its lease still holds. Writing the same ending twice is
     * {@linkplain WriteResult.Written written} both times, and an ending is the same if its lease and its
     * {@linkplain Transition#event event} are; one without an event leaves no trace, so its second write is Stale.
     *
     * @param endings at most {@link #BATCH_MAX}
     * @return one answer for each ending, in their order: Written; Stale; or Busy if another transaction, as one of a caller
     *         that is open, holds the key of the job. Inside a caller's transaction this waits instead
     */
    List<WriteResult> record(List<Transition> endings);

    /**
     * Makes a job that has not ended Cancelled. A running one loses its lease, so its result is refused, and its node
     * finds it among the {@linkplain RunStorage#stopRequests runs that should end}; so does the node of a run whose
     * ending is written as NODE_LOST.
     *
     * @return Written; Stale with the state found if it has ended; Missing
     */
    WriteResult cancel(JobId id, OperatorNote move);

    /**
     * Makes a job that has ended or is parked Enqueued again, with all its attempts before it.
     *
     * @return Written; Stale with the state found if it has not ended; Missing
     */
    default WriteResult runAgain(JobId id, OperatorNote move) {
        return runAgain(id, move, true);
    }

    /**
     * The same with a choice about its {@linkplain StepStorage steps}.
     *
     * @param keepsSteps whether its recorded steps stay; if not, each is done again
     */
    WriteResult runAgain(JobId id, OperatorNote move, boolean keepsSteps);

    /** What people ask. */
    JobQueries queries();

    /** Unique jobs: at most one of a name. */
    UniqueJobs unique();

    /** What belongs to single runs. */
    RunStorage runs();

    /** Recurring jobs. */
    RecurringStorage recurring();
}
