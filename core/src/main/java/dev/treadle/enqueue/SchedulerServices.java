package dev.treadle.enqueue;

import dev.treadle.commit.OpenBlocks;
import dev.treadle.invoke.JobInterceptors;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.outcome.JobWaiters;
import dev.treadle.payload.JsonResults;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a scheduler works with beside the storage.
 *
 * @param interceptors asked before a job is inserted, and told afterwards
 * @param waiters      finds out how jobs end
 * @param results      reads what they returned
 * @param blocks       know the transactions that are open
 * @param insert       inserts jobs in one commit and returns the ids that existed already
 * @param insertUnique inserts a unique job
 * @param due          run after another commit that made jobs due
 * @param cancelled    run after a commit that took a job from a node
 * @param gates        run after a commit that may have opened a gate
 */
public record SchedulerServices(
        JobInterceptors interceptors,
        JobWaiters waiters,
        JsonResults results,
        OpenBlocks blocks,
        Function<List<NewJob>, Set<JobId>> insert,
        BiFunction<NewJob, UniqueTerms.Asked, EnqueueResult> insertUnique,
        Runnable due,
        Runnable cancelled,
        Runnable gates) {

    /** Those of a process in which no server starts new jobs at once. */
    public static SchedulerServices of(
            StorageProvider storage,
            JobInterceptors interceptors,
            JobWaiters waiters,
            JsonResults results,
            OpenBlocks blocks) {
        return new SchedulerServices(
                interceptors,
                waiters,
                results,
                blocks,
                storage::insert,
                storage::insertUnique,
                () -> {},
                () -> {},
                () -> {});
    }

    /** The same with a server in this process. */
    public SchedulerServices with(
            Function<List<NewJob>, Set<JobId>> insert,
            BiFunction<NewJob, UniqueTerms.Asked, EnqueueResult> insertUnique,
            Runnable due,
            Runnable cancelled,
            Runnable gates) {
        return new SchedulerServices(
                interceptors, waiters, results, blocks, insert, insertUnique, due, cancelled, gates);
    }
}
