package dev.treadle.invoke;

import dev.treadle.admission.HeldPermits;
import dev.treadle.admission.PermitRequester;
import dev.treadle.job.Child;
import dev.treadle.job.ChildOptions;
import dev.treadle.job.Children;
import dev.treadle.job.JobId;
import dev.treadle.job.JobRequest;
import dev.treadle.job.JobScope;
import dev.treadle.job.JobTraits;
import dev.treadle.job.NodeId;
import dev.treadle.job.StepCall;
import dev.treadle.job.StepTransaction;
import dev.treadle.job.StepType;
import dev.treadle.job.StopReason;
import dev.treadle.lifecycle.Lease;
import dev.treadle.lifecycle.Transition;
import dev.treadle.outcome.Outcome;
import dev.treadle.outcome.RunNotesBuffer;
import dev.treadle.payload.ReturnedTypes;
import dev.treadle.transaction.TransactionCall;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one attempt sees of the engine. */
final class RunContext implements Run {
    private static final Logger LOG = LoggerFactory.getLogger(RunContext.class);

    private static final AtomicReferenceFieldUpdater<RunContext, @Nullable RunSteps> STEPS =
            AtomicReferenceFieldUpdater.newUpdater(RunContext.class, RunSteps.class, "steps");

    private final Attempt attempt;
    private final RunEngine engine;
    private final ForkThreads threads;
    private final AtomicReference<@Nullable RunNotesBuffer> notebook = new AtomicReference<>();

    private final AtomicReference<@Nullable HeldPermits> holds = new AtomicReference<>();
    /** Where its code began to run. */
    private final Thread thread = Thread.currentThread();
    /** Made when the job first asks: most never do. Used by the run's own thread, like the next three. */
    private @Nullable RunTransactions transactions;

    private @Nullable RunGates gates;

    private @Nullable Call call;
    private @Nullable Instant began;
    /** Made when the job does its first step: most have none, and pay for no holder of it. */
    private volatile @Nullable RunSteps steps;
    /** Written before what is held is looked for, and read after it was made: nothing is made that nobody closes. */
    private volatile boolean ended;

    RunContext(Attempt attempt, RunEngine engine, ForkThreads threads) {
        this.attempt = attempt;
        this.engine = engine;
        this.threads = threads;
    }

    @Override
    public JobId jobId() {
        return attempt.lease().job().id();
    }

    @Override
    public int attempt() {
        return attempt.lease().job().attempt();
    }

    @Override
    public Map<String, String> headers() {
        return attempt.lease().job().traits().headers();
    }

    @Override
    public NodeId node() {
        return attempt.lease().node();
    }

    @Override
    public boolean shouldStop() {
        return stopReason() != null;
    }

    @Override
    public @Nullable StopReason stopReason() {
        StopReason asked = attempt.stopReason();
        return asked == null && engine.isStopping() ? StopReason.SERVER_STOPS : asked;
    }

    @Override
    public @Nullable Duration remaining() {
        Instant deadline = attempt.timeIsOverAt();
        if (deadline == null) {
            return null;
        }
        Duration left = Duration.between(engine.time().instant(), deadline);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public Watch onStop(StopAction action) {
        Watch watch = attempt.onStop(action);
        if (watch != null) {
            return watch;
        }
        engine.doNow(attempt.lease(), action);
        return () -> {};
    }

    @Override
    public Held use(String... resources) throws InterruptedException {
        return take(Arrays.stream(resources).collect(Collectors.toMap(name -> name, name -> 1, (a, b) -> 1)));
    }

    @Override
    public Held use(String resource, int amount) throws InterruptedException {
        return take(JobTraits.DEFAULT.withUses(Map.of(resource, amount)).uses());
    }

    private Held take(Map<String, Integer> wanted) throws InterruptedException {
        Thread thread = Thread.currentThread();
        ForkRun<?> fork = attempt.forkOn(thread);
        return holds().take(wanted, fork == null ? PermitRequester.of(thread) : fork.requester());
    }

    /** Made when the job first asks: most never do. */
    private HeldPermits holds() {
        HeldPermits mine = holds.get();
        if (mine == null) {
            HeldPermits fresh = engine.newHolds(attempt);
            mine = holds.compareAndSet(null, fresh) ? fresh : holds.get();
            if (ended) {
                Objects.requireNonNull(mine).close();
            }
        }
        return Objects.requireNonNull(mine);
    }

    @Override
    public <R extends @Nullable Object> R step(String name, StepCall<R> work) throws Exception {
        return steps().once(name, ReturnedTypes.of(work, StepCall.class), work::call);
    }

    @Override
    public <R extends @Nullable Object> R step(String name, StepType<R> type, StepCall<R> work) throws Exception {
        return steps().once(name, type.type(), work::call);
    }

    @Override
    public void step(String name, Part work) throws Exception {
        steps().<@Nullable Object>once(name, Void.class, () -> {
            work.run();
            return null;
        });
    }

    @Override
    public <R extends @Nullable Object> R step(String name, StepTransaction<R> work) throws Exception {
        return stepIn(name, ReturnedTypes.of(work, StepTransaction.class), null, work);
    }

    @Override
    public <R extends @Nullable Object> R step(String name, StepType<R> type, StepTransaction<R> work)
            throws Exception {
        return stepIn(name, type.type(), null, work);
    }

    @Override
    public <R extends @Nullable Object> R step(String name, DataSource dataSource, StepTransaction<R> work)
            throws Exception {
        return stepIn(name, ReturnedTypes.of(work, StepTransaction.class), dataSource, work);
    }

    private <R extends @Nullable Object> R stepIn(
            String name, Type type, @Nullable DataSource given, StepTransaction<R> work) throws Exception {
        return steps().once(name, type, last -> transactions().run(given, work::in, last));
    }

    private RunSteps steps() {
        RunSteps mine = steps;
        if (mine == null) {
            RunSteps fresh = engine.newSteps(attempt);
            mine = STEPS.compareAndSet(this, null, fresh) ? fresh : Objects.requireNonNull(steps);
            if (ended) {
                mine.close();
            }
        }
        return mine;
    }

    @Override
    public <R> Child<R> spawn(String name, JobRequest<R> request, ChildOptions options) {
        return gates().one(name, request, options);
    }

    @Override
    public <R> Children<R> spawn(String name, Stream<? extends JobRequest<R>> requests, ChildOptions options) {
        return gates().many(name, requests, options);
    }

    private RunGates gates() {
        demandOwnThreadForGates();
        RunGates mine = gates;
        if (mine == null) {
            mine = engine.newGates(attempt, this, steps(), Objects.requireNonNull(began));
            gates = mine;
        }
        return mine;
    }

    @Override
    public <T> Optional<T> await(String name, Class<T> type, Duration patience) {
        return gates().event(name, type, patience);
    }

    @Override
    public void sleep(String name, Duration duration) {
        gates().sleep(name, duration);
    }

    /** How the run ends if its code waits for something; null if it does not. */
    @Nullable
    Outcome suspension(Duration ranFor) {
        return gates == null ? null : gates.suspension(ranFor);
    }

    /** Why a step or an event could not be given back; null if all could. */
    @Nullable
    NotRunnableException unreadableStep() {
        RunSteps mine = steps;
        NotRunnableException step = mine == null ? null : mine.unreadable();
        return step == null && gates != null ? gates.unreadable() : step;
    }

    @Override
    public JobScope scope() {
        OpenScopes all = attempt.scopes();
        return RunScope.open(all, all.forkOn(Thread.currentThread()), this);
    }

    @Override
    public <R, X extends Exception> R transaction(TransactionCall<R, X> work) throws X {
        return transactions().succeed(null, work);
    }

    @Override
    public <R, X extends Exception> R transaction(DataSource dataSource, TransactionCall<R, X> work) throws X {
        return transactions().succeed(dataSource, work);
    }

    private RunTransactions transactions() {
        demandOwnThread();
        RunTransactions mine = transactions;
        if (mine == null) {
            mine = new RunTransactions(engine.sharedTransactions(), this);
            transactions = mine;
        }
        return mine;
    }

    @Override
    public Lease lease() {
        return attempt.lease();
    }

    /** @throws IllegalStateException in a fork, on another thread, or when the run has ended */
    @Override
    public void demandOwnThread() {
        demandOwnThread(
                "it has no transaction any more. Begin it while it runs.",
                "A transaction of a job is begun",
                "write it in a transaction of the job's own code.");
    }

    /** The same for children and events. */
    @Override
    public void demandOwnThreadForGates() {
        demandOwnThread(
                "it can neither spawn jobs nor wait any more. Do so while it runs.",
                "Jobs are spawned and joined, and events awaited,",
                "spawn or join in the job's own code.");
    }

    private void demandOwnThread(String over, String what, String cure) {
        OwnThread.demand(attempt, thread, ended, over, what, cure);
    }

    @Override
    public boolean hasLostLease() {
        RunSteps mine = steps;
        return attempt.stopReason() == StopReason.LEASE_LOST
                || mine != null && mine.hasLostLease()
                || gates != null && gates.hasLostLease();
    }

    /** How this run ends well now. */
    @Override
    public Transition success(@Nullable Object result) {
        return engine.success(attempt.lease(), Objects.requireNonNull(began), Objects.requireNonNull(call), result);
    }

    /** User code begins. */
    void begins(Call call, Instant at) {
        this.call = call;
        this.began = at;
    }

    /**
     * What its transactions say about how it ended.
     *
     * @return null if it had none, or they leave it to what the code did
     */
    @Nullable
    Outcome outcome(Duration ranFor, @Nullable Throwable thrown) {
        return transactions == null ? null : transactions.outcome(ranFor, thrown);
    }

    @Override
    public ForkThreads threads() {
        return threads;
    }

    @Override
    public boolean hasLoggingContext() {
        return engine.hasLoggingContext();
    }

    /** How often something was taken. */
    @Override
    public int taken() {
        HeldPermits mine = holds.get();
        return mine == null ? 0 : mine.taken();
    }

    /** The code that has opened a scope begins to wait for its forks. */
    @Override
    public void codeWaits() {
        HeldPermits mine = holds.get();
        if (mine != null) {
            mine.codeWaits();
        }
    }

    @Override
    public void progress(long done, long total) {
        notebook().progress(done, total);
    }

    @Override
    public void log(String line) {
        notebook().log(line);
    }

    @Override
    public void meta(String key, String value) {
        notebook().meta(key, value);
    }

    /** Made when the job first tells something: most never do. */
    private RunNotesBuffer notebook() {
        RunNotesBuffer mine = notebook.get();
        if (mine == null) {
            RunNotesBuffer fresh = engine.newNotebook(attempt.lease());
            mine = notebook.compareAndSet(null, fresh) ? fresh : notebook.get();
        }
        return Objects.requireNonNull(mine);
    }

    /** The run has ended. */
    void close() {
        ended = true;
        RunNotesBuffer mine = notebook.get();
        if (mine != null) {
            mine.close();
        }
        RunSteps done = steps;
        if (done != null) {
            done.close();
        }
        HeldPermits held = holds.get();
        List<String> left = held == null ? List.of() : held.close();
        if (!left.isEmpty()) {
            LOG.warn("Job {} ended and still held {}, which is given back. Close what use() returns.", jobId(), left);
        }
    }
}
