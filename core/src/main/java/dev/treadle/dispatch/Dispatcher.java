package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.claim.Lanes;
import dev.treadle.claim.PollPolicy;
import dev.treadle.invoke.JobRun;
import dev.treadle.job.JobId;
import dev.treadle.job.JobTraits;
import dev.treadle.job.Lane;
import dev.treadle.lifecycle.Lease;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.Recording;
import dev.treadle.storage.DueListener;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.QueueStorage.Head;
import dev.treadle.watch.JobEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims what permits allow and hands each job to the executor. One thread takes turns; job threads come back here when
 * their job has ended, and take along the next one that waits.
 */
public final class Dispatcher {
    /** How long claimed jobs may wait here while none is started, in milliseconds; then they go back. */
    static final long WAITING_MILLIS_MAX = 500;

    private final Claimer claimer;
    private final Lanes lanes;
    private final PollPolicy poll;
    private final LocalState desk;
    private final Execution engine;
    private final AttemptRunner runner;
    private final DirectStarter births;
    private final LostAttempts lost;
    private final BooleanSupplier mayClaim;
    private final Runnable nudge;
    /** A claim got all it asked for, or something may wait for room: then whatever makes room nudges. */
    private volatile boolean moreExpected;

    private volatile boolean refused;
    private volatile boolean closed;

    private final BacklogTracker idle = new BacklogTracker();

    /** What a job passes on its way, once it has a thread: user code, the decision and the recorder. */
    public record Execution(JobRun run, NextState next, Recording recording, DoubleSupplier random, JobEvents events) {}

    /** Who is here and how many may be. */
    public record LocalState(LocalQueues lines, InFlight inFlight, ResourceGate turnstile) {}

    /** Where jobs come from. */
    public record ClaimSource(Claimer claimer, Lanes lanes, PollPolicy poll) {}

    /**
     * @param mayClaim false while this node cannot say that it lives, because then others may take its jobs: nothing is
     *                 claimed then, and what was claimed ahead is not started
     * @param foundWithin how long an attempt may be lost on this node before it is found
     * @param nudge    ends the rest of the loop that takes turns
     */
    public Dispatcher(
            ClaimSource source,
            LocalState desk,
            Execution engine,
            BooleanSupplier mayClaim,
            Duration foundWithin,
            Runnable nudge) {
        this.claimer = source.claimer();
        this.lanes = source.lanes();
        this.poll = source.poll();
        this.desk = desk;
        this.engine = engine;
        this.runner = new AttemptRunner(desk, engine, this::start, this::nudgeIfMoreIsExpected);
        this.births = new DirectStarter(source, desk, engine.events(), runner, this::start);
        this.lost = new LostAttempts(desk, engine, runner, this::start, foundWithin);
        this.mayClaim = mayClaim;
        this.nudge = nudge;
    }

    /**
     * Claims and hands over once for each executor.
     *
     * @return how long to rest; zero if more is there
     */
    public Duration turn() {
        if (closed || !mayClaim.getAsBoolean()) {
            desk.turnstile().leave();
            return poll.longest();
        }
        if (claimer.isTimeToCompare() && desk.inFlight().beginAdopting()) {
            adopt();
        }
        lost.turn();
        giveBackWhatWaitsInVain();
        long heardBefore = idle.before();
        List<Head> heads = lanes.heads(desk.lines()::isAnyRoom);
        List<ClaimCandidate> wishes = wishes(heads);
        if (wishes.isEmpty()) {
            if (!lanes.isOne()) {
                // with one lane nobody has looked
                idle.looked(heardBefore, lanes.isNothingWaiting());
            }
            return restWithoutClaim();
        }
        refused = false;
        boolean found = false;
        boolean all = false;
        for (WorkerPool crew : desk.lines().crews()) {
            List<ClaimCandidate> own = new ArrayList<>();
            for (ClaimCandidate wish : wishes) {
                if (wish.line().crew() == crew) {
                    own.add(wish);
                }
            }
            if (!own.isEmpty()) {
                ClaimCandidate next = ClaimCandidate.nextOf(own, crew);
                int share = ClaimCandidate.share(next, own);
                int told = lanes.told();
                int wanted = desk.turnstile().take(next.head().lane(), Math.min(share, told));
                boolean isAllThatWasTold = wanted == told;
                int taken = wanted == 0 ? 0 : claim(next, wanted, isAllThatWasTold);
                found |= taken > 0;
                all |= wanted > 0 && taken == wanted && !isAllThatWasTold;
            }
        }
        boolean unexpected = !moreExpected && lanes.anyWaiting();
        moreExpected = lanes.anyWaiting();
        // not after a claim that was short: it gives what it has found before it has looked everywhere
        idle.looked(heardBefore, !found && lanes.isNothingWaiting());
        if (refused) {
            return poll.longest();
        }
        return all || found && isMissed() || wishes.size() > 1 && moreExpected || unexpected
                ? Duration.ZERO
                : poll.restAfter(found);
    }

    private boolean isMissed() {
        boolean missed = idle.wasMissed();
        if (missed) {
            lanes.lookAgain();
        }
        return missed;
    }

    /** How many more jobs of a lane this node could take, as far as can be said without asking; of any if null. */
    public int room(@Nullable Lane lane) {
        boolean none = closed || !mayClaim.getAsBoolean() || lane != null && !lanes.mayTake(lane);
        return none ? 0 : desk.lines().room(lane);
    }

    /** What waits, as far as there is room for it. */
    private List<ClaimCandidate> wishes(List<Head> heads) {
        Map<WorkerPool, Integer> rooms = new IdentityHashMap<>();
        List<ClaimCandidate> wishes = new ArrayList<>();
        for (Head head : heads) {
            LocalQueue line = desk.lines().of(head.lane().queue());
            int roomOfCrew = rooms.computeIfAbsent(line.crew(), WorkerPool::room);
            int room = line.room(roomOfCrew);
            if (room > 0 && desk.turnstile().admits(head.lane())) {
                wishes.add(new ClaimCandidate(head, line, room, roomOfCrew));
            }
        }
        desk.turnstile().forgetUnasked();
        return wishes;
    }

    /** @param isAllThatWasTold whether no more is known to wait if all that is wanted is given */
    private int claim(ClaimCandidate wish, int wanted, boolean isAllThatWasTold) {
        Lane lane = wish.head().lane();
        List<Lease> taken = List.of();
        boolean accepted = false;
        try {
            try {
                lanes.claims(wanted);
                taken = claimer.claim(lane, wanted);
            } finally {
                desk.turnstile().giveBack(lane, wanted - taken.size());
            }
            int size = taken.size();
            lanes.claimed(
                    lane,
                    size,
                    size == wanted && !isAllThatWasTold,
                    size == 0 ? 0 : taken.get(size - 1).job().priority());
            wish.line().claims().pay(size);
            accept(taken);
            accepted = true;
            return size;
        } finally {
            if (!accepted) {
                // the storage may have leased what is known nowhere here
                claimer.doubt();
                lanes.lookAgain();
            }
        }
    }

    /** There is no room for what waits, or nothing is known to wait. */
    private Duration restWithoutClaim() {
        if (!moreExpected && idle.mayAnythingWait()) {
            // room that came before this was set has nudged nobody: look once more
            moreExpected = true;
            return Duration.ZERO;
        }
        Duration rest = lanes.isOne() ? poll.longest() : poll.restAfter(false);
        Duration untilGivenBack = Duration.ofMillis(WAITING_MILLIS_MAX);
        return desk.lines().isAnyWaiting() && untilGivenBack.compareTo(rest) < 0 ? untilGivenBack : rest;
    }

    /** A job's ending is written down, so there is room for another. Worth a query only if more is expected. */
    public void written(Lease lease) {
        desk.inFlight().written(lease);
        desk.inFlight().signalIfEmpty();
        nudgeIfMoreIsExpected();
    }

    private void nudgeIfMoreIsExpected() {
        // not after a refusal: what is written then was given back, and would be refused again at once
        if (moreExpected && !refused) {
            nudge.run();
        }
    }

    /** Jobs may have become due anywhere: whatever is born here now has to wait behind them. */
    public void dueWasHeardOf() {
        idle.hears();
        lanes.lookAgain();
        nudge.run();
    }

    /** The same for one lane. */
    public void dueWasHeardOf(Lane lane) {
        dueWasHeardOf(lane, DueListener.ANY_NUMBER);
    }

    /** The same for so many jobs of one lane, while other nodes take the others. */
    public void dueWasHeardOf(Lane lane, int jobs) {
        idle.hears();
        lanes.hint(lane, jobs);
        nudge.run();
    }

    /**
     * Keeps new jobs and starts them here at once, with no claim in between, if nothing that is due waits and permits
     * are free for all of them. A crash after the commit loses nothing: the leases are rescued.
     *
     * @param jobs all due now, of lanes that this node serves
     * @return the ids that were there already; null if nothing was done because they have to wait
     */
    public @Nullable Set<JobId> insertAndStart(List<NewJob> jobs) {
        boolean mayStart = !closed
                && mayClaim.getAsBoolean()
                && !desk.lines().isAnyWaiting()
                && !claimer.isInDoubt()
                && idle.mayStart();
        return mayStart ? births.insertAndStart(jobs) : null;
    }

    private LocalQueue line(JobTraits traits) {
        return desk.lines().of(traits.queue());
    }

    private void adopt() {
        try {
            accept(claimer.adopt(desk.inFlight().snapshot()).stream()
                    .filter(this::isAdmitted)
                    .toList());
        } finally {
            desk.inFlight().endAdopting();
        }
    }

    /** What a lost claim leased to this node holds nothing yet; it goes back if what it uses is not free. */
    private boolean isAdmitted(Lease lease) {
        boolean admitted = desk.turnstile().tryTake(lease);
        if (!admitted) {
            AttemptTask task = arrive(lease);
            if (task != null) {
                task.resourcesGivenBack();
                runner.giveBackWaiting(task);
            }
        }
        return admitted;
    }

    private void accept(List<Lease> taken) {
        Set<LocalQueue> lines = new LinkedHashSet<>();
        for (Lease lease : taken) {
            AttemptTask task = arrive(lease);
            if (task == null) {
                desk.turnstile().giveBack(lease);
                continue;
            }
            LocalQueue line = task.line();
            if (lines.add(line) && line.waiting().isEmpty()) {
                line.startedOne();
            }
            line.countClaimed();
            addWaiting(task);
        }
        engine.events().claimed(taken);
        lines.forEach(line -> line.crew().handOver(line, this::start));
    }

    /** Null if it is here already. */
    private @Nullable AttemptTask arrive(Lease lease) {
        AttemptTask task = new AttemptTask(runner, line(lease.job().traits()), lease);
        if (!desk.inFlight().arrived(task)) {
            return null;
        }
        task.line().arrived();
        return task;
    }

    /** Whatever it takes: it counts as in flight already. */
    private static void addWaiting(AttemptTask task) {
        while (true) {
            try {
                task.line().waiting().add(task);
                return;
            } catch (OutOfMemoryError e) {
                NoMemory.rest();
            }
        }
    }

    /** Both permits of the job are taken. */
    private void start(AttemptTask task) {
        boolean tried = false;
        boolean accepted = false;
        try {
            // while this node was not heard of, others may have run it: let the storage say whose it is
            if (!closed
                    && mayClaim.getAsBoolean()
                    && !lanes.isPaused(task.line().queue())) {
                tried = true;
                task.line().startedOne();
                accepted = runner.handOver(task);
            }
        } finally {
            if (!accepted) {
                refused |= tried;
                // the storage already says it is ours, so hand it back there
                runner.callOff(task);
            }
        }
    }

    /** Lets so many jobs run at once from now on; those that run go on. */
    public void admit(int jobs) {
        desk.lines().limitTo(jobs);
        // what waits here may begin, and there may be room for more
        desk.lines().all().forEach(line -> line.crew().handOver(line, this::start));
        nudge.run();
    }

    /** Starts nothing more; what waits here goes back to the storage with its attempt uncounted. */
    public void close() {
        closed = true;
        lost.finishAbandoned();
        desk.turnstile().leave();
        desk.lines().all().forEach(this::giveBackWaiting);
    }

    private void giveBackWhatWaitsInVain() {
        for (LocalQueue line : desk.lines().all()) {
            // those before them are long ones, and other nodes may be idle; or no node may run them now
            if (!line.waiting().isEmpty()
                    && (line.millisSinceLastStart() > WAITING_MILLIS_MAX || lanes.isPaused(line.queue()))) {
                giveBackWaiting(line);
            }
        }
    }

    private void giveBackWaiting(LocalQueue line) {
        for (AttemptTask next; (next = line.waiting().poll()) != null; ) {
            runner.giveBackWaiting(next);
        }
    }
}
