package dev.treadle.enqueue;

import dev.treadle.api.Batch;
import dev.treadle.api.JobOptions;
import dev.treadle.job.GateId;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobId;
import dev.treadle.lifecycle.Gate;
import dev.treadle.storage.GateStorage;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageProvider;
import dev.treadle.storage.TransactionalStorage;
import dev.treadle.transaction.TransactionMode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Enqueues batches, a page at a time.
 *
 * @param access   where they are written
 * @param services who hears of it after the commit
 * @param reading  where progress is read
 */
record Batches(StorageAccess access, SchedulerServices services, Supplier<TransactionalStorage> reading) {
    Batch enqueue(String name, Stream<Invocation> calls, JobOptions options) {
        refuse(options);
        NewJob batch = access.enqueuer().batch(name, options);
        Pages pages = new Pages(batch, options);
        try (calls) {
            Gate known = gates().find(pages.gate).orElse(null);
            if (known == null || known.need() == null) {
                pages.write(
                        known == null ? 0 : known.spawned(), calls.sequential().iterator());
            }
        }
        return of(batch.id(), reading);
    }

    private static void refuse(JobOptions options) {
        if (options.parent() != null || options.unique() != null || options.afterJobs() != null) {
            throw new IllegalArgumentException(
                    "The jobs of a batch get ids of their own and run at once: its JobOptions must"
                            + " have no parent of ids, no unique name and no jobs to run after. JobOptions.withId gives the batch"
                            + " an id.");
        }
        if (options.transactionMode() == TransactionMode.AFTER_COMMIT) {
            throw new IllegalArgumentException(
                    "A batch is written page by page while its stream is read, so it cannot be"
                            + " enqueued with TransactionMode.AFTER_COMMIT. Use TransactionMode.JOIN or OWN.");
        }
    }

    private GateStorage gates() {
        return access.storage().runs().gates();
    }

    /** A batch that is there. */
    static Batch of(JobId id, Supplier<TransactionalStorage> reading) {
        GateId gate = GateId.of(id, Gate.BATCH);
        return new Batch() {
            @Override
            public JobId id() {
                return id;
            }

            @Override
            public JobId id(long ordinal) {
                return gate.child(ordinal);
            }

            @Override
            public Progress progress() {
                Gate now = reading.get()
                        .runs()
                        .gates()
                        .find(gate)
                        .orElseThrow(() -> new NoSuchElementException(
                                "There is no batch " + id + ": it was never enqueued, or retention has deleted it."));
                return new Progress(now.spawned(), now.need() != null, now.succeeded(), now.failed());
            }

            @Override
            public String toString() {
                return "Batch[" + id + "]";
            }
        };
    }

    /** The pages of one batch. */
    private final class Pages {
        private final NewJob batch;
        private final JobOptions options;
        private final GateId gate;

        Pages(NewJob batch, JobOptions options) {
            this.batch = batch;
            this.options = options;
            this.gate = GateId.of(batch.id(), Gate.BATCH);
        }

        void write(long before, Iterator<Invocation> all) {
            long count = 0;
            List<NewJob> page = new ArrayList<>();
            while (all.hasNext()) {
                Invocation call = all.next();
                if (count >= before) {
                    page.add(access.enqueuer().inBatch(gate.child(count), gate, call, options));
                }
                count++;
                if (page.size() == StorageProvider.BATCH_MAX && all.hasNext()) {
                    write(count - page.size(), page, false);
                    page.clear();
                }
            }
            if (count < before) {
                throw new IllegalStateException("The stream of the batch " + batch.id() + " gave " + count
                        + " requests, and " + before + " of it are stored. Give the same requests in the same order"
                        + " when it is enqueued again.");
            }
            write(count - page.size(), page, true);
        }

        private void write(long from, List<NewJob> page, boolean last) {
            List<NewJob> kept = List.copyOf(page);
            if (gates().batch(batch, from, kept, last) instanceof GateStorage.Answer.LeaseLost) {
                throw new IllegalStateException(
                        "The batch " + batch.id() + " waits for no further jobs: a job of this id is"
                                + " there that is no batch, or it was cancelled while its jobs were stored. Enqueue it under"
                                + " another id.");
            }
            if (from == 0) {
                access.enqueuer().kept(List.of(batch));
            }
            access.enqueuer().kept(kept);
            access.afterCommit().accept(services.due());
            if (last) {
                access.afterCommit().accept(services.gates());
            }
        }
    }
}
