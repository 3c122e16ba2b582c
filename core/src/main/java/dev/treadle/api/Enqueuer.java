package dev.treadle.api;

import dev.treadle.api.EnqueueResult.Answer;
import dev.treadle.job.DuplicateJobException;
import dev.treadle.job.IdSource;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.KeyRule;
import dev.treadle.job.Unique;
import dev.treadle.payload.ChosenArguments;
import dev.treadle.storage.Due;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.UniqueJobs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives jobs their ids and keeps them. Thread-safe. */
final class Enqueuer {
    private final StorageProvider storage;
    private final IdSource ids;
    private final InsertBatcher batcher;
    private final Nudges nudges;

    Enqueuer(StorageProvider storage, IdSource ids, Nudges nudges) {
        this.storage = storage;
        this.batcher = new InsertBatcher(storage);
        this.ids = ids;
        this.nudges = nudges;
    }

    JobId one(Invocation invocation, Due due, JobOptions options) {
        NewJob job = job(invocation, due, options);
        if (options.unique() != null) {
            return kept(unique(job, options.unique()));
        }
        keep(List.of(job));
        return job.id();
    }

    /** As {@link #one}, and says what became of it. */
    EnqueueResult ask(Invocation invocation, Due due, JobOptions options) {
        NewJob job = job(invocation, due, options);
        if (options.unique() != null) {
            return unique(job, options.unique());
        }
        keep(List.of(job));
        return new EnqueueResult(Answer.ENQUEUED, job.id());
    }

    private static JobId kept(EnqueueResult result) {
        if (result.answer() == Answer.REJECTED) {
            throw new DuplicateJobException(result.id());
        }
        return result.id();
    }

    private EnqueueResult unique(NewJob job, Unique unique) {
        UniqueJobs.Answer answer = storage.unique()
                .insert(
                        job,
                        new UniqueJobs.Asked(
                                name(job.invocation(), unique.by()),
                                unique.span(),
                                unique.period(),
                                unique.onConflict()));
        boolean moved = answer.kind() == UniqueJobs.Kind.ENQUEUED || answer.kind() == UniqueJobs.Kind.REPLACED;
        if (moved) {
            nudge(job.due() instanceof Due.Now);
        }
        Answer told =
                switch (answer.kind()) {
                    case ENQUEUED -> Answer.ENQUEUED;
                    case KEPT -> Answer.KEPT;
                    case REPLACED -> Answer.REPLACED;
                    case REJECTED -> Answer.REJECTED;
                };
        return new EnqueueResult(told, answer.id());
    }

    private static String name(Invocation invocation, Unique.By by) {
        return by instanceof Unique.Name explicit
                ? "name " + explicit.name()
                : "call " + ChosenArguments.name(invocation, ((Unique.Call) by).chosen());
    }

    /** Tells a server in this process that a job may run now. */
    void nudge() {
        nudges.due().run();
    }

    /** In batches, each of which is kept or not as a whole. */
    List<JobId> all(Stream<Invocation> invocations, JobOptions options) {
        if (options.id() != null) {
            throw new IllegalArgumentException("Several jobs cannot have the one id " + options.id()
                    + ". Use JobOptions.withIdsUnder(parent) to give each an id of its own that stays the same.");
        }
        if (options.unique() != null) {
            // one commit each: what becomes of the next depends on what became of the one before
            return invocations
                    .map(invocation -> one(invocation, Due.NOW, options))
                    .toList();
        }
        List<JobId> all = new ArrayList<>();
        List<NewJob> batch = new ArrayList<>();
        invocations.forEachOrdered(invocation -> {
            batch.add(job(invocation, Due.NOW, options));
            if (batch.size() == StorageProvider.BATCH_MAX) {
                flush(batch, all);
            }
        });
        flush(batch, all);
        return all;
    }

    private void flush(List<NewJob> batch, List<JobId> all) {
        if (!batch.isEmpty()) {
            keep(List.copyOf(batch));
            batch.forEach(job -> all.add(job.id()));
            batch.clear();
        }
    }

    private NewJob job(Invocation invocation, Due due, JobOptions options) {
        return new NewJob(id(invocation, options), invocation, due, options.traits());
    }

    private JobId id(Invocation invocation, JobOptions options) {
        JobId known = knownId(invocation, options);
        return known != null ? known : ids.nextJobId();
    }

    /** The id that does not depend on when a job is enqueued; null if it will be a fresh one. */
    static @Nullable JobId knownId(Invocation invocation, JobOptions options) {
        return options.parent() != null
                ? options.parent().derive(invocation.target() + " " + invocation.arguments())
                : options.id();
    }

    private void keep(List<NewJob> jobs) {
        try {
            if (jobs.size() == 1) {
                batcher.insert(jobs.get(0));
            } else {
                storage.insert(jobs);
            }
        } catch (StorageException e) {
            JobId first = jobs.get(0).id();
            throw new StorageException(
                    e.getMessage() + " — " + jobs.size() + " jobs from " + first + " on may or may not have been kept."
                            + " Enqueue again with ids of your own (JobOptions.withId or withIdsUnder) to be safe.",
                    e,
                    e.isWorthRepeating());
        }
        nudge(jobs.stream().anyMatch(job -> job.due() instanceof Due.Now));
        if (jobs.stream().anyMatch(job -> job.traits().key() instanceof KeyRule.Rate)) {
            // those that have no room yet come when the rate has, which may be before the next look
            nudges.scheduled().run();
        }
    }

    private void nudge(boolean anyNow) {
        (anyNow ? nudges.due() : nudges.scheduled()).run();
    }

    /**
     * What to tell a server in this process, after the commit.
     *
     * @param due       jobs may run now
     * @param scheduled jobs wait for their time
     */
    record Nudges(Runnable due, Runnable scheduled) {}
}
