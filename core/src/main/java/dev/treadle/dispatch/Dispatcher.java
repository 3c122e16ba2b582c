package dev.treadle.dispatch;

import dev.treadle.claim.Claimer;
import dev.treadle.claim.PollPolicy;
import dev.treadle.invoke.JobRun;
import dev.treadle.job.Failure;
import dev.treadle.job.JobId;
import dev.treadle.job.RetryDecision;
import dev.treadle.outcome.NextState;
import dev.treadle.outcome.Outcome;
import dev.treadle.outcome.OutcomeRecorder;
import dev.treadle.storage.Ending;
import dev.treadle.storage.Leased;
import dev.treadle.storage.NewJob;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims what permits allow and hands each job to the executor. One thread takes turns; job threads come back here when
 * their job has ended, and take along the next one that waits.
 */
public final class Dispatcher {
    /** How long claimed jobs may wait here while none is started, in milliseconds; then they go back. */
    static final long WAITING_MILLIS_MAX = 500;
    /** A safety net only: every job that is written down nudges. */
    private static final Duration UNTIL_NUDGED = Duration.ofSeconds(1);

    private static final Outcome UNSAID = new Outcome.Threw(
            Duration.ZERO,
            Failure.because("Unknown", "The attempt ended in a way that could not be described."),
            RetryDecision.BY_POLICY);

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final Claimer claimer;
    private final PollPolicy poll;
    private final Desk desk;
    private final Engine engine;
    private final BooleanSupplier mayClaim;
    private final Prefetch prefetch;
    private final Queue<Leased> waiting = new ConcurrentLinkedQueue<>();
    private final Runnable nudge;
    /** The last claim got all it asked for, so there is probably more. */
    private volatile boolean moreExpected;

    /** When a job was last started, or began to wait. */
    private volatile Instant lastStart;

    private volatile boolean refused;
    private volatile boolean closed;

    /** How often this node heard that jobs became due. */
    private final AtomicLong heard = new AtomicLong();
    /** {@link #heard} before the last claim that found nothing more: while they are the same, no due job waits. */
    private volatile long idleSince = -1;

    /** What a job passes on its way: from a permit to the thread, user code, the decision and the recorder. */
    public record Engine(
            Executor executor, JobRun run, NextState next, OutcomeRecorder recorder, DoubleSupplier random) {}

    /** Who is here and how many may be. */
    public record Desk(Permits permits, InFlight inFlight, InstantSource time) {}

    /**
     * @param mayClaim false while this node cannot say that it lives, because then others may take its jobs: nothing is
     *                 claimed then, and what was claimed ahead is not started
     * @param nudge    ends the rest of the loop that takes turns
     */
    public Dispatcher(
            Claimer claimer, PollPolicy poll, Desk desk, Engine engine, BooleanSupplier mayClaim, Runnable nudge) {
        this.claimer = claimer;
        this.poll = poll;
        this.desk = desk;
        this.engine = engine;
        this.mayClaim = mayClaim;
        this.nudge = nudge;
        this.prefetch = new Prefetch(desk.time());
        this.lastStart = desk.time().instant();
    }

    /**
     * Claims and hands over once.
     *
     * @return how long to rest; zero if more is there
     */
    public Duration turn() {
        if (closed || !mayClaim.getAsBoolean()) {
            return poll.longest();
        }
        if (claimer.isInDoubt() && desk.inFlight().beginAdopting()) {
            adopt();
        }
        if (!waiting.isEmpty() && millisSinceLastStart() > WAITING_MILLIS_MAX) {
            // the jobs before them turned out to be long ones, and other nodes may be idle
            giveBackWaiting();
        }
        int capacity = desk.permits().total() + prefetch.jobs();
        int room = capacity - desk.inFlight().size();
        boolean worthAQuery = room > 0 && (waiting.isEmpty() || room >= capacity / 4);
        if (!worthAQuery) {
            return waiting.isEmpty() ? UNTIL_NUDGED : Duration.ofMillis(WAITING_MILLIS_MAX);
        }
        refused = false;
        int wanted = Math.min(room, Claimer.CLAIM_BATCH_MAX);
        long heardBefore = heard.get();
        List<Leased> taken = claimer.claim(wanted);
        moreExpected = taken.size() == wanted;
        if (!moreExpected) {
            idleSince = heardBefore;
        }
        accept(taken);
        if (refused) {
            return poll.longest();
        }
        return moreExpected ? Duration.ZERO : poll.restAfter(!taken.isEmpty());
    }

    /** A job's ending is written down, so there is room for another. Worth a query only if more is expected. */
    public void written(Leased lease) {
        desk.inFlight().written(lease);
        // not after a refusal: what is written then is the job that was given back, and it would be refused again at
        // once
        if (moreExpected && !refused) {
            nudge.run();
        }
    }

    /** Jobs may have become due: whatever is born here now has to wait behind them. */
    public void dueWasHeardOf() {
        heard.incrementAndGet();
        nudge.run();
    }

    /**
     * Keeps new jobs and starts them here at once, with no claim in between, if nothing that is due waits and permits
     * are free for all of them. A crash after the commit loses nothing: the leases are rescued.
     *
     * @param jobs all due now
     * @return the ids that were there already; null if nothing was done because they have to wait
     */
    public @Nullable Set<JobId> insertAndStart(List<NewJob> jobs) {
        boolean idle = idleSince == heard.get() && waiting.isEmpty() && !claimer.isInDoubt();
        if (!idle || closed || !mayClaim.getAsBoolean() || !desk.permits().tryTake(jobs.size())) {
            return null;
        }
        int unused = jobs.size();
        boolean expected = false;
        try {
            expected = desk.inFlight().expect(jobs.size());
            if (!expected) {
                return null;
            }
            List<Leased> born = claimer.insertLeased(jobs);
            born.forEach(desk.inFlight()::arrived);
            Set<JobId> existing = jobs.stream().map(NewJob::id).collect(Collectors.toSet());
            for (Leased lease : born) {
                existing.remove(lease.job().id());
                unused--;
                startWithPermit(lease);
            }
            return existing;
        } finally {
            if (expected) {
                desk.inFlight().expectNoMore(jobs.size());
            }
            for (; unused > 0; unused--) {
                desk.permits().giveBack();
            }
        }
    }

    private void adopt() {
        try {
            Set<InFlight.Key> before = desk.inFlight().snapshot();
            accept(InFlight.unknown(claimer.adopt(), before));
        } finally {
            desk.inFlight().endAdopting();
        }
    }

    private long millisSinceLastStart() {
        return Duration.between(lastStart, desk.time().instant()).toMillis();
    }

    private void accept(List<Leased> taken) {
        if (waiting.isEmpty()) {
            lastStart = desk.time().instant();
        }
        taken.forEach(desk.inFlight()::arrived);
        waiting.addAll(taken);
        handOver();
    }

    /** Starts waiting jobs as far as permits go. Any thread. */
    private void handOver() {
        while (!waiting.isEmpty() && desk.permits().tryTake()) {
            Leased next = waiting.poll();
            if (next == null) {
                desk.permits().giveBack();
            } else {
                startWithPermit(next);
            }
        }
    }

    private void startWithPermit(Leased lease) {
        if (closed || !mayClaim.getAsBoolean()) {
            // while this node was not heard of, others may have run it: let the storage say whose it is
            desk.permits().giveBack();
            giveBack(lease);
        } else {
            start(lease);
        }
    }

    private void start(Leased lease) {
        boolean accepted = false;
        lastStart = desk.time().instant();
        try {
            engine.executor().execute(() -> runAndRecord(lease));
            accepted = true;
        } catch (RejectedExecutionException e) {
            LOG.warn(
                    "The executor refused job {}; it goes back to the storage.",
                    lease.job().id(),
                    e);
        } finally {
            if (!accepted) {
                // the storage already says it is ours, so hand it back there
                refused = true;
                desk.permits().giveBack();
                giveBack(lease);
            }
        }
    }

    private void giveBack(Leased lease) {
        engine.recorder().offer(new Ending.GiveBack(lease, null));
    }

    /** The whole of a job's own thread. */
    private void runAndRecord(Leased lease) {
        desk.inFlight().began(lease);
        // stands if not even the border to user code could say what happened, as when memory ran out while it tried
        Outcome outcome = UNSAID;
        try {
            outcome = engine.run().of(lease);
        } finally {
            desk.inFlight().ended(lease);
            // an interrupt that was meant for this job must not reach the next one on this thread
            Thread.interrupted();
            prefetch.oneEnded();
            desk.permits().giveBack();
            engine.recorder()
                    .offer(engine.next().after(lease, outcome, engine.random().getAsDouble()));
            handOver();
        }
    }

    /** Starts nothing more; what waits here goes back to the storage with its attempt uncounted. */
    public void close() {
        closed = true;
        giveBackWaiting();
    }

    private void giveBackWaiting() {
        for (Leased next; (next = waiting.poll()) != null; ) {
            giveBack(next);
        }
    }
}
