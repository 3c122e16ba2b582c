package dev.treadle.enqueue;

import dev.treadle.job.Due;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.transaction.OpenTransaction;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** Writes new jobs. Thread-safe, unless it writes into a transaction. */
interface JobWriter {
    /** @param jobs at most {@link StorageProvider#BATCH_MAX} */
    void write(List<NewJob> jobs);

    /** Writes a unique job, and says what became of it. */
    EnqueueResult writeUnique(NewJob job, UniqueTerms.Asked asked);

    /** Runs an action once what was written is committed. */
    void afterCommit(Runnable action);

    /**
     * Commits each call before it returns; single jobs of several threads together.
     *
     * @param insert       inserts jobs in one commit and returns the ids that existed already
     * @param insertUnique inserts a unique job
     */
    static JobWriter committing(
            Function<List<NewJob>, Set<JobId>> insert,
            BiFunction<NewJob, UniqueTerms.Asked, EnqueueResult> insertUnique) {
        InsertBatcher batcher = new InsertBatcher(insert);
        KeyBatchers keyed = new KeyBatchers(insert);
        return new JobWriter() {
            @Override
            public void write(List<NewJob> jobs) {
                try {
                    if (jobs.size() == 1 && !(jobs.get(0).due() instanceof Due.AfterJobs)) {
                        KeyRule key = jobs.get(0).traits().key();
                        if (key == null) {
                            batcher.insert(jobs.get(0));
                        } else {
                            keyed.insert(key.line(), jobs.get(0));
                        }
                    } else {
                        insert.apply(jobs);
                    }
                } catch (StorageException e) {
                    throw new StorageException(
                            e.getMessage() + " — " + jobs.size() + " jobs from "
                                    + jobs.get(0).id() + " on may or may not have been kept. Enqueue again with ids of"
                                    + " your own (JobOptions.withId or withIdsUnder) to be safe.",
                            e,
                            e.isWorthRepeating());
                }
            }

            @Override
            public EnqueueResult writeUnique(NewJob job, UniqueTerms.Asked asked) {
                return insertUnique.apply(job, asked);
            }

            @Override
            public void afterCommit(Runnable action) {
                action.run();
            }
        };
    }

    /**
     * Writes into a transaction of the application.
     *
     * @param due   run once what was written is committed
     * @param gates the same where jobs run after others
     */
    static JobWriter joining(
            TransactionalStorage storage, Consumer<Runnable> afterCommit, Runnable due, Runnable gates) {
        return new JobWriter() {
            @Override
            public void write(List<NewJob> jobs) {
                storage.insert(jobs);
                afterCommit.accept(due);
                if (jobs.get(0).due() instanceof Due.AfterJobs) {
                    afterCommit.accept(gates);
                }
            }

            @Override
            public EnqueueResult writeUnique(NewJob job, UniqueTerms.Asked asked) {
                EnqueueResult result = storage.insertUnique(job, asked);
                afterCommit.accept(due);
                return result;
            }

            @Override
            public void afterCommit(Runnable action) {
                afterCommit.accept(action);
            }
        };
    }

    /** Writes through another writer once a transaction of the application has been committed. */
    static JobWriter deferring(JobWriter later, OpenTransaction transaction) {
        return new JobWriter() {
            @Override
            public void write(List<NewJob> jobs) {
                transaction.afterCommit(() -> {
                    try {
                        later.write(jobs);
                    } catch (StorageException e) {
                        throw new StorageException(
                                "The transaction has been committed, but jobs that were to be enqueued after it could not"
                                        + " be written: " + e.getMessage(),
                                e,
                                e.isWorthRepeating());
                    }
                });
            }

            @Override
            public EnqueueResult writeUnique(NewJob job, UniqueTerms.Asked asked) {
                throw new IllegalArgumentException("Whether a unique job is new is not known before it is written, so"
                        + " it cannot be enqueued with TransactionMode.AFTER_COMMIT. Use TransactionMode.JOIN or OWN.");
            }

            @Override
            public void afterCommit(Runnable action) {
                transaction.afterCommit(action);
            }
        };
    }
}
