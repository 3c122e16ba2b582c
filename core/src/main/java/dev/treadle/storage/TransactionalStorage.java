package dev.treadle.storage;

import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorAct;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.WriteResult;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.UniqueTerms;
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

    /** Most jobs that one act moves. */
    int ACT_MAX = 200;

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
     * Keeps a new job unless another of the same unique name stands in its way; a job whose id is already there is left as
     * it is. Only such inserts pay for names: nothing else knows of them, and whether a job still holds its name is looked
     * up when the next comes.
     */
    EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked);

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
     * Does one thing to some jobs, all in one transaction. Those to which it cannot be done, because they have moved on,
     * are left as they are. A running job that is cancelled loses its lease, so its result is refused, and its node finds it
     * among the {@linkplain RunStorage#stopRequests runs that should end}; so does the node of a run whose ending is
     * written as NODE_LOST.
     *
     * @param note who does it, and why
     * @param ids  at most {@link #ACT_MAX}
     * @param act  what is written down of it in the same transaction, with the number of jobs; null if nothing is
     * @return one answer for each job, in their order: Written; Stale with the state found; Missing
     */
    List<WriteResult> act(JobAction action, OperatorNote note, List<JobId> ids, @Nullable OperatorAct act);

    /** Cancels one job. */
    default WriteResult cancel(JobId id, OperatorNote note) {
        return act(JobAction.CANCEL, note, List.of(id), null).get(0);
    }

    /** Runs one job again; its recorded steps stay. */
    default WriteResult runAgain(JobId id, OperatorNote note) {
        return act(JobAction.RUN_AGAIN, note, List.of(id), null).get(0);
    }

    /** What people ask. */
    JobQueries queries();

    /** What belongs to single runs. */
    RunStorage runs();

    /** Recurring jobs. */
    RecurringStorage recurring();
}
