package dev.treadle.enqueue;

import dev.treadle.api.JobOptions;
import dev.treadle.capture.DeclaredTraits;
import dev.treadle.invoke.BatchJob;
import dev.treadle.invoke.JobInterceptors;
import dev.treadle.job.Due;
import dev.treadle.job.DuplicateJobException;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.EnqueueResult.Answer;
import dev.treadle.job.GateId;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Unique;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.payload.ChosenArguments;
import dev.treadle.payload.DisplayName;
import dev.treadle.payload.TypeNames;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.watch.JobEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes jobs of what is enqueued, with their ids, and has them written. Thread-safe. */
final class Enqueuer {
    private final JobWriter writer;
    private final Making making;
    private final JobEvents events = JobEvents.ofThisJvm();

    /** @param writer writes the jobs */
    Enqueuer(JobWriter writer, Making making) {
        this.writer = writer;
        this.making = making;
    }

    /**
     * What makes jobs.
     *
     * @param ids          gives those that have none an id
     * @param interceptors asked before a job is written, and told afterwards
     * @param declared     what the code itself declares of its jobs
     * @param names        puts arguments into the names of jobs
     * @param types        the names under which jobs are stored
     */
    record Making(
            IdSource ids, JobInterceptors interceptors, DeclaredTraits declared, DisplayName names, TypeNames types) {}

    /** The same with another writer. */
    Enqueuer with(JobWriter writer) {
        return new Enqueuer(writer, making);
    }

    /** What writes the jobs. */
    JobWriter writer() {
        return writer;
    }

    /** The traits of a job that is enqueued under options: with what its code declares, and with arguments in its name. */
    JobTraits traits(Invocation invocation, JobOptions options) {
        return making.names.filledIn(making.declared.filledIn(options.traits(), invocation), invocation);
    }

    JobId one(Invocation invocation, JobOptions options) {
        NewJob job = job(invocation, options);
        if (options.unique() != null) {
            return kept(unique(job, options.unique()));
        }
        keep(List.of(job));
        return job.id();
    }

    /**
     * Enqueues a job whose traits were made when it was planned: what its code declares is not looked at again.
     *
     * @param way inserts it; null for the usual way
     */
    JobId planned(Invocation invocation, JobTraits traits, @Nullable Consumer<NewJob> way) {
        JobId id = making.ids.nextJobId();
        NewJob job = new NewJob(id, invocation, Due.NOW, making.interceptors.enqueue(id, invocation, traits));
        if (way == null) {
            keep(List.of(job));
        } else {
            way.accept(job);
            tell(List.of(job));
        }
        return id;
    }

    /** As {@link #one}, and says what became of it. */
    EnqueueResult ask(Invocation invocation, JobOptions options) {
        NewJob job = job(invocation, options);
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
        String name = name(job.invocation(), unique.by());
        EnqueueResult result = writer.writeUnique(
                job, new UniqueTerms.Asked(name, unique.span(), unique.period(), unique.onConflict()));
        if (result.isNew()) {
            tell(List.of(job));
        }
        return result;
    }

    private String name(Invocation invocation, Unique.By by) {
        return by instanceof Unique.Name explicit
                ? "name " + explicit.name()
                : "call "
                        + ChosenArguments.name(
                                making.types.identity(invocation), invocation, ((Unique.Call) by).chosen());
    }

    /** In batches. Each batch is kept or not as a whole. */
    List<JobId> all(Stream<Invocation> invocations, JobOptions options) {
        if (options.id() != null) {
            throw new IllegalArgumentException("Several jobs cannot have the one id " + options.id()
                    + ". Use JobOptions.withIdsUnder(parent) to give each an id of its own that stays the same.");
        }
        if (options.unique() != null) {
            // one commit each: what happens to the next depends on what became of the one before
            return invocations
                    .sequential()
                    .map(invocation -> one(invocation, options))
                    .toList();
        }
        List<JobId> all = new ArrayList<>();
        List<NewJob> batch = new ArrayList<>();
        invocations.forEachOrdered(invocation -> {
            batch.add(job(invocation, options));
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

    /** The job that waits for those of a batch. */
    NewJob batch(String name, JobOptions options) {
        JobTraits asked = options.traits();
        JobTraits traits = JobTraits.DEFAULT
                .withName(name)
                .withQueue(asked.queue())
                .withPriority(asked.priority())
                .withLabels(asked.labels().toArray(String[]::new))
                .withHeaders(asked.headers());
        JobId id = options.id() == null ? making.ids.nextJobId() : options.id();
        return new NewJob(
                id, BatchJob.INVOCATION, Due.BATCH, making.interceptors.enqueue(id, BatchJob.INVOCATION, traits));
    }

    /** A job of a batch. */
    NewJob inBatch(JobId id, GateId gate, Invocation invocation, JobOptions options) {
        JobTraits traits = making.interceptors.enqueue(id, invocation, traits(invocation, options));
        return new NewJob(id, invocation, due(options), traits.withGate(gate));
    }

    /** Says that jobs are kept that others have written. */
    void kept(List<NewJob> jobs) {
        if (!jobs.isEmpty()) {
            tell(jobs);
        }
    }

    private NewJob job(Invocation invocation, JobOptions options) {
        JobId id = id(invocation, options);
        JobTraits traits = making.interceptors.enqueue(id, invocation, traits(invocation, options));
        return new NewJob(id, invocation, due(options), traits);
    }

    private static Due due(JobOptions options) {
        if (options.afterJobs() != null) {
            return options.afterJobs();
        }
        if (options.dueAt() != null) {
            return new Due.At(options.dueAt());
        }
        return options.delay() == null ? Due.NOW : new Due.After(options.delay());
    }

    private JobId id(Invocation invocation, JobOptions options) {
        JobId known = knownId(invocation, options, making.types);
        return known != null ? known : making.ids.nextJobId();
    }

    /** The id that does not depend on when a job is enqueued; null if it will be a fresh one. */
    static @Nullable JobId knownId(Invocation invocation, JobOptions options, TypeNames types) {
        return options.parent() != null
                ? options.parent().derive(types.identity(invocation) + " " + invocation.arguments())
                : options.id();
    }

    /**
     * The same id.
     *
     * @throws IllegalStateException if it will be a fresh one
     */
    static JobId requiredId(Invocation invocation, JobOptions options, TypeNames types) {
        JobId id = knownId(invocation, options, types);
        if (id == null) {
            throw new IllegalStateException(
                    "These options give each job a fresh id, so it is known only when the job is"
                            + " enqueued. Use JobOptions.withIdsUnder(parent) or withId(id).");
        }
        return id;
    }

    private void keep(List<NewJob> jobs) {
        writer.write(jobs);
        tell(jobs);
    }

    private void tell(List<NewJob> kept) {
        writer.afterCommit(() -> {
            events.enqueued(kept);
            if (!making.interceptors.isEmpty()) {
                making.interceptors.enqueued(kept.stream().map(NewJob::id).toList());
            }
        });
    }
}
