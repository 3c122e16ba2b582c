package dev.treadle.api;

import dev.treadle.job.IdSource;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.storage.Due;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gives jobs their ids and keeps them. Thread-safe. */
final class Enqueuer {
    private final Function<List<NewJob>, Set<JobId>> insert;
    private final IdSource ids;
    private final InsertBatcher batcher;

    Enqueuer(Function<List<NewJob>, Set<JobId>> insert, IdSource ids) {
        this.insert = insert;
        this.batcher = new InsertBatcher(insert);
        this.ids = ids;
    }

    JobId one(Invocation invocation, Due due, JobOptions options) {
        NewJob job = job(invocation, due, options);
        keep(List.of(job));
        return job.id();
    }

    /** In batches, each of which is kept or not as a whole. */
    List<JobId> all(Stream<Invocation> invocations, JobOptions options) {
        if (options.id() != null) {
            throw new IllegalArgumentException("Several jobs cannot have the one id " + options.id()
                    + ". Use JobOptions.withIdsUnder(parent) to give each an id of its own that stays the same.");
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
                insert.apply(jobs);
            }
        } catch (StorageException e) {
            JobId first = jobs.get(0).id();
            throw new StorageException(
                    e.getMessage() + " — " + jobs.size() + " jobs from " + first + " on may or may not have been kept."
                            + " Enqueue again with ids of your own (JobOptions.withId or withIdsUnder) to be safe.",
                    e,
                    e.isWorthRepeating());
        }
    }
}
