package dev.treadle.storage;

import dev.treadle.job.OperatorAct;
import dev.treadle.lifecycle.RecurringJob;
import dev.treadle.schedule.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where recurring jobs are kept. Each call commits by itself before it returns, or throws {@link StorageException}; a row
 * is only written by a caller that saw its present version. Thread-safe.
 */
public interface RecurringStorage {
    /**
     * How long before its slot a job is made whose runs may overlap: it then waits as Scheduled for its time, and begins as
     * punctually as any other. Where the end of the run before counts, it is made at its slot.
     */
    Duration AHEAD = Duration.ofSeconds(1);

    /** What time it is for the storage, which decides what is due. */
    default Instant now() {
        return due(1).now();
    }

    /**
     * Recurring jobs by their ids, deleted ones too.
     *
     * @param from begin with this id, or the next if there is none of it; empty to begin with the first
     * @param max  most of them to give, 1 to {@link StorageProvider#BATCH_MAX}
     */
    List<RecurringJob> list(String from, int max);

    /** One recurring job, a deleted one too. */
    default Optional<RecurringJob> find(String id) {
        return list(id, 1).stream().filter(found -> found.id().equals(id)).findFirst();
    }

    /**
     * Writes a recurring job if it is as the caller saw it: not there if its version is 0, else with that version.
     *
     * @param act what is written down of it in the same transaction, if it is written; null if nothing is
     * @return false if another caller was quicker
     */
    boolean write(RecurringJob job, @Nullable OperatorAct act);

    /** The same, and nothing is written down of it. */
    default boolean write(RecurringJob job) {
        return write(job, null);
    }

    /**
     * What has come due: active jobs whose next slot is not in the future, or less than {@link #AHEAD} where runs may overlap,
     * and that wait for nothing, those due first first, and those whose awaited job has ended. One question, however many recurring jobs there are.
     *
     * @param max most of each kind to give, 1 to {@link StorageProvider#BATCH_MAX}
     */
    DueNow due(int max);

    /**
     * Moves recurring jobs on, each with the jobs of its slots and only if it has the version that was seen, all in one
     * transaction. A job whose id is there already is left as it is.
     *
     * @param advances of different recurring jobs, with at most {@link StorageProvider#BATCH_MAX} jobs in all
     * @return the ids of those that were moved on; of the others neither progress nor jobs were written
     */
    Set<String> advance(List<Advance> advances);

    /**
     * What {@link #due} found.
     *
     * @param found     what is due
     * @param now       the storage's time at which that was
     * @param untilNext how long until the first slot of those that are not due; null if there is none
     */
    record DueNow(List<Found> found, Instant now, @Nullable Duration untilNext) {}

    /**
     * A recurring job that is due, and what became of the last job.
     *
     * @param recurring the recurring job
     * @param endedAt   when the last job ended; null if it has not, or there is none, or
     *                  {@linkplain Overlap#ALLOW it does not matter}. A job that is no longer kept ended when this was asked
     */
    record Found(RecurringJob recurring, @Nullable Instant endedAt) {}

    /**
     * One step of a recurring job.
     *
     * @param seen     as it was seen
     * @param progress how far it is to come
     * @param jobs     the jobs of the slots that this deals with
     */
    record Advance(RecurringJob seen, RecurringJob.Progress progress, List<NewJob> jobs) {
        /** Copies the list. */
        public Advance {
            jobs = List.copyOf(jobs);
        }
    }
}
