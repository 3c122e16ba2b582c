package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.claim.Lanes;
import dev.treadle.claim.PollPolicy;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Lease;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.PendingWork.Head;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Claims as many jobs as permits allow and hands each to its executor. One thread takes turns. A job's thread comes back
 * here when the job has ended, and runs the next one that waits.
 */
public final class Dispatcher {
    /** How long claimed jobs wait while none of their queue starts, in milliseconds. After that they are given back. */
    static final long WAITING_MILLIS_MAX = 500;

    private final Claimer claimer;
    private final Lanes lanes;
    private final PollPolicy poll;
    private final LocalState local;
    private final Execution execution;
    private final AttemptRunner runner;
    private final DirectStarter directStarter;
    private final LostAttempts lost;
    private final BooleanSupplier mayClaim;
    private final Runnable nudge;
    /** More jobs may be waiting than there was room for, so whatever makes room must nudge. */
    private volatile boolean moreExpected;

    private volatile boolean refused;
    private volatile boolean closed;

    private final BacklogTracker backlog = new BacklogTracker();
    private final Chunks chunks;

    /**
     * @param mayClaim    false while this node cannot write its heartbeat, because other nodes may then take its jobs. It claims
     *                    nothing then, and does not start jobs that it has claimed ahead
     * @param foundWithin how long an attempt may be lost on this node before it is found
     * @param nudge       wakes the loop that takes turns
     */
    public Dispatcher(
            ClaimSource source,
            LocalState local,
            Execution execution,
            BooleanSupplier mayClaim,
            Duration foundWithin,
            Runnable nudge) {
        this.claimer = source.claimer();
        this.lanes = source.lanes();
        this.poll = source.poll();
        this.local = local;
        this.execution = execution;
        this.runner = new AttemptRunner(local, execution, this::start, this::nudgeIfMoreIsExpected);
        this.directStarter = new DirectStarter(source, local, execution.events(), runner, this::start);
        this.lost = new LostAttempts(local, execution, runner, this::start, foundWithin);
        this.chunks = new Chunks(local.queues().time());
        this.mayClaim = mayClaim;
        this.nudge = nudge;
    }

    /**
     * Claims and hands over once for each executor.
     *
     * @return how long to rest; zero if there is more to claim
     */
    public Duration turn() {
        if (closed || !mayClaim.getAsBoolean()) {
            local.gate().leave();
            giveBackGathered(queue -> true);
            return poll.longest();
        }
        completeChunks(false);
        return chunks.orUntilNext(claimAndHandOver());
    }

    /**
     * Starts the chunks whose first job has waited long enough.
     *
     * @param all also those for which more jobs may come; not during a turn
     */
    public void completeChunks(boolean all) {
        if (chunks.completeDue(all)) {
            local.queues().all().forEach(queue -> local.queues().handOver(queue, this::start));
        }
    }

    private Duration claimAndHandOver() {
        if (claimer.isTimeToCompare() && local.inFlight().beginAdopting()) {
            adopt();
        }
        lost.turn();
        giveBackStalled();
        long signals = backlog.signals();
        List<Head> heads = lanes.heads(local.queues()::isAnyRoom);
        List<ClaimCandidate> candidates = candidates(heads);
        if (candidates.isEmpty()) {
            if (!lanes.isOne()) {
                // with one lane the storage was not asked
                backlog.looked(signals, lanes.isNothingWaiting());
            }
            return restWithoutClaim();
        }
        refused = false;
        boolean found = false;
        boolean all = false;
        for (PoolQueues pool : local.queues().pools()) {
            List<ClaimCandidate> own = new ArrayList<>();
            for (ClaimCandidate candidate : candidates) {
                if (candidate.queue().pool() == pool.pool()) {
                    own.add(candidate);
                }
            }
            if (!own.isEmpty()) {
                ClaimCandidate next = ClaimCandidate.nextOf(own, pool);
                int share = chunks.wanted(next.queue(), ClaimCandidate.share(next, own));
                int announced = lanes.announced();
                int wanted = local.gate().take(next.head().lane(), Math.min(share, announced));
                boolean isAllAnnounced = wanted == announced;
                int taken = wanted == 0 ? 0 : claim(next, wanted, isAllAnnounced);
                found |= taken > 0;
                all |= wanted > 0 && taken == wanted && !isAllAnnounced;
            }
        }
        boolean unexpected = !moreExpected && lanes.anyWaiting();
        moreExpected = lanes.anyWaiting();
        // not after a short claim: it returns what it found before it has searched everything
        backlog.looked(signals, !found && lanes.isNothingWaiting());
        if (refused) {
            return poll.longest();
        }
        return all || found && isStartMissed() || candidates.size() > 1 && moreExpected || unexpected
                ? Duration.ZERO
                : poll.restAfter(found);
    }

    private boolean isStartMissed() {
        boolean missed = backlog.takeMissed();
        if (missed) {
            lanes.lookAgain();
        }
        return missed;
    }

    /** How many more jobs of a lane, or of any lane if it is null, this node could take. Does not ask the storage. */
    public int room(@Nullable Lane lane) {
        boolean none = closed || !mayClaim.getAsBoolean() || lane != null && !lanes.mayTake(lane);
        return none ? 0 : local.queues().room(lane);
    }

    /** The lanes that have waiting jobs and for which there is room. */
    private List<ClaimCandidate> candidates(List<Head> heads) {
        Map<PoolQueues, Integer> rooms = new IdentityHashMap<>();
        List<ClaimCandidate> candidates = new ArrayList<>();
        for (Head head : heads) {
            LocalQueue queue = local.queues().of(head.lane().queue());
            int poolRoom = rooms.computeIfAbsent(local.queues().sharing(queue), PoolQueues::room);
            int room = queue.room(poolRoom);
            if (room > 0 && local.gate().admits(head.lane())) {
                candidates.add(new ClaimCandidate(head, queue, room, poolRoom));
            }
        }
        local.gate().leaveUnrequested();
        return candidates;
    }

    /** @param isAllAnnounced whether no further job is known to wait once {@code wanted} jobs have been claimed */
    private int claim(ClaimCandidate candidate, int wanted, boolean isAllAnnounced) {
        Lane lane = candidate.head().lane();
        List<Lease> taken = List.of();
        boolean accepted = false;
        try {
            try {
                lanes.claims(wanted);
                taken = claimer.claim(lane, wanted);
            } finally {
                local.gate().giveBack(lane, wanted - taken.size());
            }
            int size = taken.size();
            lanes.claimed(
                    lane,
                    size,
                    size == wanted && !isAllAnnounced,
                    size == 0 ? 0 : taken.get(size - 1).job().priority());
            candidate.queue().claims().pay(size);
            chunks.claimed(candidate.queue(), wanted, size, accept(taken));
            accepted = true;
            return size;
        } finally {
            if (!accepted) {
                // the storage may have leased jobs to this node that it does not know about
                claimer.doubt();
                lanes.lookAgain();
            }
        }
    }

    /** Called if there is no room for waiting jobs, or if none are known to wait. */
    private Duration restWithoutClaim() {
        if (!moreExpected && backlog.mayJobsWait()) {
            // room that was made before this was set did not nudge: look once more
            moreExpected = true;
            return Duration.ZERO;
        }
        Duration rest = lanes.isOne() ? poll.longest() : poll.restAfter(false);
        Duration untilGivenBack = Duration.ofMillis(WAITING_MILLIS_MAX);
        return local.queues().isAnyWaiting() && untilGivenBack.compareTo(rest) < 0 ? untilGivenBack : rest;
    }

    /** A job's ending has been recorded, so there is room for another. Nudges only if more jobs are expected. */
    public void recorded(Lease lease) {
        local.inFlight().recorded(lease);
        local.inFlight().signalIfEmpty();
        nudgeIfMoreIsExpected();
    }

    private void nudgeIfMoreIsExpected() {
        // not after a refusal: what is recorded then was given back, and would be refused again at once
        if (moreExpected && !refused) {
            nudge.run();
        }
    }

    /** Jobs may have become due in any lane. New jobs cannot start here directly until those have been looked for. */
    public void jobsBecameDue() {
        backlog.signal();
        lanes.lookAgain();
        nudge.run();
    }

    /** Jobs may have become due in one lane. */
    public void jobsBecameDue(Lane lane) {
        jobsBecameDue(lane, DueListener.ANY_NUMBER);
    }

    /** A number of jobs became due in one lane, for this node to claim; other nodes take the rest. */
    public void jobsBecameDue(Lane lane, int jobs) {
        backlog.signal();
        lanes.hint(lane, jobs);
        nudge.run();
    }

    /**
     * Inserts new jobs with a lease for this node and starts them at once, without a claim. Does so only if no due job waits
     * and permits are free for all of them. A crash after the commit loses nothing, because the leases are rescued.
     *
     * @param jobs all due now, in lanes that this node serves
     * @return the ids that existed already; null if nothing was inserted because the jobs have to wait
     */
    public @Nullable Set<JobId> insertAndStart(List<NewJob> jobs) {
        boolean mayStart = !closed
                && mayClaim.getAsBoolean()
                && !local.queues().isAnyWaiting()
                && !claimer.isInDoubt()
                && backlog.mayStart();
        return mayStart ? directStarter.insertAndStart(jobs) : null;
    }

    private LocalQueue queue(JobTraits traits) {
        return local.queues().of(traits.queue());
    }

    private void adopt() {
        try {
            accept(claimer.adopt(local.inFlight().snapshot()).stream()
                    .filter(this::isAdmitted)
                    .toList());
        } finally {
            local.inFlight().endAdopting();
        }
    }

    /** Takes the resources of a job that a lost claim leased to this node; gives the job back if they are not free. */
    private boolean isAdmitted(Lease lease) {
        boolean admitted = local.gate().tryTake(lease);
        if (!admitted) {
            AttemptTask task = arrive(lease);
            if (task != null) {
                task.resourcesGivenBack();
                runner.giveBackWaiting(task);
            }
        }
        return admitted;
    }

    /** @return whether all of these run in chunks */
    private boolean accept(List<Lease> taken) {
        Set<LocalQueue> queues = new LinkedHashSet<>();
        boolean allForChunks = true;
        for (Lease lease : taken) {
            AttemptTask task = arrive(lease);
            if (task == null) {
                local.gate().giveBack(lease);
                continue;
            }
            LocalQueue queue = task.queue();
            if (queues.add(queue) && queue.waiting().isEmpty()) {
                queue.startedOne();
            }
            queue.countClaimed();
            if (task instanceof ChunkMember member) {
                chunks.gather(member);
            } else {
                allForChunks = false;
                queue.addWaiting(task);
            }
        }
        execution.events().claimed(taken);
        queues.forEach(queue -> local.queues().handOver(queue, this::start));
        return allForChunks;
    }

    /** Adds a job to those in flight; null if it is there already. */
    private @Nullable AttemptTask arrive(Lease lease) {
        AttemptTask task = runner.claimed(queue(lease.job().traits()), lease);
        if (!local.inFlight().arrived(task)) {
            return null;
        }
        task.queue().arrived();
        return task;
    }

    /** Hands a job to its executor. Its permits are taken. */
    private void start(AttemptTask task) {
        boolean tried = false;
        boolean accepted = false;
        try {
            // if this node's heartbeat is late, another node may have run the job: give it back, the storage decides
            if (!closed
                    && mayClaim.getAsBoolean()
                    && !lanes.isPaused(task.queue().name())) {
                tried = true;
                task.queue().startedOne();
                accepted = runner.handOver(task);
            }
        } finally {
            if (!accepted) {
                refused |= tried;
                // the job is leased to this node, so give the lease back
                runner.cancel(task);
            }
        }
    }

    /** Limits how many jobs run at once from now on. Running jobs go on. */
    public void admit(int jobs) {
        local.queues().limitTo(jobs);
        // waiting jobs may be able to start, and there may be room for more
        local.queues().all().forEach(queue -> local.queues().handOver(queue, this::start));
        nudge.run();
    }

    /** Starts nothing more. Waiting jobs are given back to the storage; their attempt does not count. */
    public void close() {
        closed = true;
        lost.finishAbandoned();
        local.gate().leave();
        local.queues().all().forEach(this::giveBackWaiting);
        giveBackGathered(queue -> true);
    }

    private void giveBackGathered(Predicate<LocalQueue> from) {
        chunks.takeBack(from).forEach(runner::giveBackWaiting);
    }

    /** Gives back claimed jobs of queues that start none. */
    private void giveBackStalled() {
        giveBackGathered(queue -> lanes.isPaused(queue.name()));
        for (LocalQueue queue : local.queues().all()) {
            // the running jobs are long and other nodes may be idle, or the queue is paused
            if (!queue.waiting().isEmpty()
                    && (queue.millisSinceLastStart() > WAITING_MILLIS_MAX || lanes.isPaused(queue.name()))) {
                giveBackWaiting(queue);
            }
        }
    }

    private void giveBackWaiting(LocalQueue queue) {
        for (AttemptTask next; (next = queue.waiting().poll()) != null; ) {
            runner.giveBackWaiting(next);
        }
    }
}
