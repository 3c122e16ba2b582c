package dev.treadle.lifecycle;

import dev.treadle.job.Due;
import dev.treadle.job.JobTraits;
import dev.treadle.job.StateName;
import org.jspecify.annotations.Nullable;

/**
 * Where a job stands.
 *
 * @param state   null if the job is not kept
 * @param traits  its queue, priority, key and so on
 * @param slot    whether it holds a slot of its key
 * @param attempt how many attempts count
 * @param when    since when, or from when on, it is due
 */
public record Position(@Nullable StateName state, JobTraits traits, Slot slot, int attempt, Due when) {
    /** Of a job that is not kept yet. */
    public static Position ofNew(JobTraits traits) {
        return new Position(null, traits, Slot.none(traits.key()), 0, Due.NOW);
    }

    /** Of a job that runs under a lease. */
    public static Position of(Lease lease) {
        JobTraits traits = lease.job().traits();
        return new Position(
                StateName.PROCESSING,
                traits,
                traits.key() == null ? Slot.NOT_NEEDED : Slot.HELD,
                lease.job().attempt(),
                new Due.At(lease.dueSince()));
    }

    /** Whether it waits in the queue of its key, and not in that of its lane. */
    public boolean isInKeyQueue() {
        return state == StateName.ENQUEUED && slot == Slot.LACKING;
    }
}
