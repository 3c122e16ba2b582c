package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.claim.Lanes;
import dev.treadle.job.JobId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.NewJob;
import dev.treadle.watch.JobEvents;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Inserts new jobs with a lease for this node and starts them here, without a claim. Thread-safe. */
final class DirectStarter {
    private final Claimer claimer;
    private final Lanes lanes;
    private final LocalState local;
    private final JobEvents events;
    private final AttemptRunner runner;
    private final PoolQueues.Starter start;

    /** @param start starts a job whose permits are taken, or gives the permits back */
    DirectStarter(
            ClaimSource source, LocalState local, JobEvents events, AttemptRunner runner, PoolQueues.Starter start) {
        this.claimer = source.claimer();
        this.lanes = source.lanes();
        this.local = local;
        this.events = events;
        this.runner = runner;
        this.start = start;
    }

    /**
     * Inserts and starts jobs. The caller knows that no due job waits.
     *
     * @return the ids that existed already; null if nothing was inserted because the jobs have to wait
     */
    @Nullable
    Set<JobId> insertAndStart(List<NewJob> jobs) {
        Reservation permits = new Reservation(local.queues());
        boolean expected = false;
        boolean mayBeLost = false;
        try {
            for (NewJob job : jobs) {
                String queue = job.traits().queue();
                if (lanes.isPaused(queue) || !permits.take(local.queues().of(queue))) {
                    return null;
                }
            }
            expected = local.inFlight().expect(jobs.size());
            if (!expected) {
                return null;
            }
            mayBeLost = true;
            List<Lease> inserted = claimer.insertLeased(jobs);
            events.claimed(inserted);
            Set<JobId> existing = new HashSet<>();
            jobs.forEach(job -> existing.add(job.id()));
            inserted.forEach(lease -> existing.remove(lease.job().id()));
            permits.start(inserted, this::start, this::giveBack);
            mayBeLost = false;
            return existing;
        } finally {
            if (mayBeLost) {
                // the jobs may be leased to this node although it does not know about them
                claimer.doubt();
            }
            if (expected) {
                local.inFlight().expectNoMore(jobs.size());
            }
            permits.giveBack(start);
        }
    }

    private void start(LocalQueue queue, Lease lease) {
        start.start(arrive(queue, lease));
    }

    private void giveBack(LocalQueue queue, Lease lease) {
        runner.cancel(arrive(queue, lease));
    }

    /** Adds a job to those in flight. If that fails, the permits that were reserved for it are given back. */
    private AttemptTask arrive(LocalQueue queue, Lease lease) {
        boolean arrived = false;
        try {
            AttemptTask task = runner.task(queue, lease);
            task.takePermits();
            local.inFlight().arrived(task);
            arrived = true;
            return task;
        } finally {
            if (!arrived) {
                queue.recorded();
                local.queues().giveBack(queue);
            }
        }
    }
}
