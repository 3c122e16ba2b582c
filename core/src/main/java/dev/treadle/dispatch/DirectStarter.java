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

/** Keeps new jobs with a lease for this node and starts them here, with no claim in between. Thread-safe. */
final class DirectStarter {
    private final Claimer claimer;
    private final Lanes lanes;
    private final Dispatcher.LocalState desk;
    private final JobEvents events;
    private final AttemptRunner runner;
    private final WorkerPool.Starter start;

    /** @param start starts a job whose permits are taken, or gives them back */
    DirectStarter(
            Dispatcher.ClaimSource source,
            Dispatcher.LocalState desk,
            JobEvents events,
            AttemptRunner runner,
            WorkerPool.Starter start) {
        this.claimer = source.claimer();
        this.lanes = source.lanes();
        this.desk = desk;
        this.events = events;
        this.runner = runner;
        this.start = start;
    }

    /**
     * Keeps and starts jobs that no due one waits before.
     *
     * @return the ids that were there already; null if nothing was done because they have to wait
     */
    @Nullable
    Set<JobId> insertAndStart(List<NewJob> jobs) {
        Reservation permits = new Reservation();
        boolean expected = false;
        boolean mayBeLost = false;
        try {
            for (NewJob job : jobs) {
                String queue = job.traits().queue();
                if (lanes.isPaused(queue) || !permits.take(desk.lines().of(queue))) {
                    return null;
                }
            }
            expected = desk.inFlight().expect(jobs.size());
            if (!expected) {
                return null;
            }
            mayBeLost = true;
            List<Lease> born = claimer.insertLeased(jobs);
            events.claimed(born);
            Set<JobId> existing = new HashSet<>();
            jobs.forEach(job -> existing.add(job.id()));
            born.forEach(lease -> existing.remove(lease.job().id()));
            permits.start(born, this::line, this::start, this::giveBack);
            mayBeLost = false;
            return existing;
        } finally {
            if (mayBeLost) {
                // they may be leased to this node and known nowhere here
                claimer.doubt();
            }
            if (expected) {
                desk.inFlight().expectNoMore(jobs.size());
            }
            permits.giveBack(start);
        }
    }

    private LocalQueue line(Lease lease) {
        return desk.lines().of(lease.job().traits().queue());
    }

    private void start(LocalQueue line, Lease lease) {
        start.start(arrive(line, lease));
    }

    private void giveBack(LocalQueue line, Lease lease) {
        runner.callOff(arrive(line, lease));
    }

    /** It holds the permits and the place that were kept for it, unless it is not taken in. */
    private AttemptTask arrive(LocalQueue line, Lease lease) {
        boolean arrived = false;
        try {
            AttemptTask task = new AttemptTask(runner, line, lease);
            task.takePermits();
            desk.inFlight().arrived(task);
            arrived = true;
            return task;
        } finally {
            if (!arrived) {
                line.written();
                line.crew().giveBack(line);
            }
        }
    }
}
