package dev.treadle.engine;

import dev.treadle.commit.OpenBlocks;
import dev.treadle.invoke.ChildJobs;
import dev.treadle.invoke.Invoker;
import dev.treadle.invoke.RunOptions;
import dev.treadle.job.EnqueueResult;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Transition;
import dev.treadle.lifecycle.UniqueTerms;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drives the turns of a {@link Node} with one loop each, and starts and stops them in order. Thread-safe. */
public final class DefaultJobServer extends AbstractJobServer {
    /** How long interrupted jobs have to end when the server is closed, in milliseconds. */
    public static final long INTERRUPTED_MILLIS_MAX = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(DefaultJobServer.class);

    private final StorageProvider storage;
    private final ChosenExecutors executors;
    private final WorkerPools pools;
    private final JobServerSettings settings;
    private final Node node;
    private final Loops loops;
    private final Watchdog watchdog;
    private final ServerBeans beans;
    private final StopThreads stopThreads = new StopThreads();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicBoolean executorsStopped = new AtomicBoolean();
    /** The broken class that makes this server stop; null while there is none. */
    private final AtomicReference<@Nullable LinkageError> brokenBy = new AtomicReference<>();

    private final Runnable stopListening;
    private volatile ServerState state = ServerState.RUNNING;
    private final ReentrantLock claiming = new ReentrantLock();
    /** Guarded by {@link #claiming}. */
    private boolean claimingEnded;
    /** Whether the storage knows this node. */
    private boolean known;
    /** Only the thread of {@link Chore#TIDY} uses it. */
    private boolean librariesInitialized;

    private DefaultJobServer(
            StorageProvider storage,
            ChosenExecutors executors,
            JobCode code,
            JobServerSettings settings,
            Environment environment) {
        this.storage = storage;
        this.executors = executors;
        this.pools = executors.pools(settings, Runtime.getRuntime().availableProcessors());
        this.settings = settings;
        // so that a heartbeat is written soon after the storage is back, before other nodes may judge this one
        Duration heardAgain = Duration.ofNanos(settings.deadAfter().toNanos() / 6);
        this.loops = new Loops(heardAgain, this::stopIfClassesAreBroken);
        NodeInfo self = new NodeInfo(
                new NodeId(environment.random().nextLong() & Long.MAX_VALUE),
                settings.name() == null ? NodeName.ofThisProcess() : settings.name(),
                executors.names(),
                pools.workers());
        this.node = new Node(
                storage,
                self,
                new ExecutionConfig(
                        pools,
                        code.invoker(),
                        code.options(),
                        code.blocks(),
                        stopThreads,
                        code.children(),
                        code.written()),
                settings,
                Nudges.of(loops),
                environment);
        this.watchdog = new Watchdog(loops.all());
        this.beans = new ServerBeans(node, storage, environment.time(), this::state);
        executors.summaries().forEach(LOG::info);
        this.stopListening = storage.notifications().listen(self.id(), node.dueListener());
    }

    /**
     * What jobs are and how they are run.
     *
     * @param invoker finds what jobs call
     * @param options what users chose about running jobs
     * @param blocks  know the transactions that jobs have open
     * @param children makes the jobs that jobs spawn
     * @param written called with each ending that was written; must be quick
     */
    public record JobCode(
            Invoker invoker, RunOptions options, OpenBlocks blocks, ChildJobs children, Consumer<Transition> written) {}

    /**
     * Starts a node.
     *
     * @param code        what jobs are and how they are run
     * @param environment where time and random numbers come from
     * @throws StorageException      if the storage does not answer; an outage after the start is no error
     * @throws IllegalStateException if a class that Treadle needs is missing or of another version
     */
    public static DefaultJobServer start(
            StorageProvider storage,
            ChosenExecutors executors,
            JobCode code,
            JobServerSettings settings,
            Environment environment) {
        try {
            return new DefaultJobServer(storage, executors, code, settings, environment).begun();
        } catch (LinkageError e) {
            if (!LinkageFailures.isLasting(e)) {
                throw e;
            }
            throw new IllegalStateException("Treadle cannot start, " + LinkageFailures.sentence(e), e);
        }
    }

    private DefaultJobServer begun() {
        boolean begun = false;
        try {
            begin();
            begun = true;
            return this;
        } finally {
            if (!begun) {
                // a process that tries again until its storage answers must not collect half-started servers
                close(Duration.ZERO);
            }
        }
    }

    private void begin() {
        node.beat();
        known = true;
        node.watch();
        ClassInitializer.initializeOwn(DefaultJobServer.class.getClassLoader());
        executors.start(pools);
        for (Chore chore : Chore.values()) {
            if (chore != Chore.HEAP || node.isHeapGuarded()) {
                loops.of(chore).startAfter(chore.restBefore(), () -> turn(chore));
            }
        }
        LOG.info(
                "{} ({}) runs up to {} jobs at once on '{}', Java {}, from storage {}.",
                node.self().name(),
                node.self().id(),
                node.self().workers(),
                node.self().executor(),
                Runtime.version().feature(),
                storage.description());
    }

    /** A switch, because method references cost the start a third of a millisecond each. */
    private Duration turn(Chore chore) {
        return switch (chore) {
            case RECORD -> node.record();
            case RECORD_KEYED -> node.recordKeyed();
            case DISPATCH -> node.dispatch();
            case HEARTBEAT -> {
                Watchdog.reviveIfDead(loops.of(Chore.WATCHDOG));
                yield node.beat();
            }
            case PROMOTE -> node.promote();
            case RECUR -> node.recur();
            case GATES -> node.openGates();
            case RESCUE -> node.rescue();
            case UNPARK -> node.unpark();
            case RETENTION -> node.retain();
            case DEADLINES -> node.watchDeadlines();
            case STOPS -> node.readStops();
            case NOTES -> node.writeNotes();
            case TIDY -> {
                initializeLibraries();
                yield node.tidy();
            }
            case LOOK -> {
                // not in begin(): a start should not wait for JMX
                beans.turn();
                yield node.look();
            }
            case WATCHDOG -> watchdog.turn();
            case HEAP -> node.guardHeap();
        };
    }

    /** Once, on the thread of {@link Chore#TIDY}. */
    private void initializeLibraries() {
        if (!librariesInitialized) {
            ClassInitializer.initializeLibraries(DefaultJobServer.class.getClassLoader());
            librariesInitialized = true;
        }
    }

    /** Without one of its classes a server could go on claiming jobs and never record an ending, so it stops. */
    private boolean stopIfClassesAreBroken(Throwable failed) {
        if (!(failed instanceof LinkageError broken) || !LinkageFailures.isLasting(failed)) {
            return false;
        }
        if (brokenBy.compareAndSet(null, broken)) {
            boolean stops = false;
            try {
                LOG.error("{} stops, {}", node.self().name(), LinkageFailures.sentence(broken), broken);
                new Thread(this::close, "treadle-stop").start();
                stops = true;
            } finally {
                if (!stops) {
                    brokenBy.set(null);
                }
            }
        }
        return true;
    }

    @Override
    public ServerState state() {
        return state;
    }

    @Override
    public void nudge() {
        node.jobsBecameDue();
        loops.of(Chore.RECUR).nudge();
    }

    /** Reads at once which queues are paused, because this process has just paused or resumed one. */
    public void queuesChanged() {
        try {
            node.watch();
        } catch (StorageException e) {
            // the change is stored: this node sees it when the other nodes do
            loops.of(Chore.LOOK).nudge();
        }
    }

    /**
     * Inserts jobs. They start here at once if this server knows what they call, no due job waits, and there is room for
     * all of them.
     *
     * @param jobs at most {@link StorageProvider#BATCH_MAX}
     * @return the ids that existed already
     */
    public Set<JobId> insert(List<NewJob> jobs) {
        return node.insert(jobs);
    }

    /** Inserts a unique job. */
    public EnqueueResult insertUnique(NewJob job, UniqueTerms.Asked asked) {
        return node.insertUnique(job, asked);
    }

    /** Reads now, instead of at the next look, which running jobs have lost their lease. */
    public void nudgeStops() {
        loops.of(Chore.STOPS).nudge();
    }

    /** Looks now, instead of at the next look, at gates where something has happened. */
    public void nudgeGates() {
        node.lookAtGates();
    }

    @Override
    Node node() {
        return node;
    }

    @Override
    public void close() {
        close(settings.stopPatience());
    }

    private void close(Duration patience) {
        if (!closed.compareAndSet(false, true)) {
            awaitStopped();
            return;
        }
        boolean interrupted = false;
        try {
            state = ServerState.STOPPING;
            shutDown(patience);
        } catch (InterruptedException e) {
            interrupted = true;
            LOG.warn("Closing was interrupted; jobs still running will be rescued by other nodes.");
        } finally {
            loops.closeAllSoon();
            beans.close();
            stopExecutors();
            stopThreads.close();
            state = ServerState.STOPPED;
            stopped.countDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        LOG.info("{} ({}) has stopped.", node.self().name(), node.self().id());
    }

    private void awaitStopped() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void stopExecutors() {
        if (executorsStopped.compareAndSet(false, true)) {
            executors.stop();
        }
    }

    @Override
    public void stopClaiming() {
        try {
            endClaiming();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endClaiming() throws InterruptedException {
        claiming.lockInterruptibly();
        try {
            if (!claimingEnded) {
                state = state == ServerState.RUNNING ? ServerState.STOPPING : state;
                stopListening.run();
                loops.end(Chore.FOR_CLAIMING);
                node.stopDispatching();
                claimingEnded = true;
            }
        } finally {
            claiming.unlock();
        }
    }

    private void shutDown(Duration patience) throws InterruptedException {
        endClaiming();
        if (!node.inFlight().awaitEmpty(patience)) {
            LOG.info("Interrupting {} jobs that are still running.", node.running());
            node.interruptAll();
            node.inFlight().awaitEmpty(Duration.ofMillis(INTERRUPTED_MILLIS_MAX));
        }
        stopExecutors();
        loops.end(Chore.FOR_RUNNING);
        recordTheLast();
        loops.end(Set.of(Chore.HEARTBEAT));
        List<JobId> left =
                node.inFlight().all().stream().map(lease -> lease.job().id()).toList();
        if (left.isEmpty() && known) {
            leave();
        } else if (!left.isEmpty()) {
            LOG.error(
                    "{} jobs did not end or could not be recorded; other nodes rescue them after {}: {}",
                    left.size(),
                    settings.deadAfter(),
                    left.subList(0, Math.min(10, left.size())));
        }
    }

    /** Records endings that came after the last turns of the record loops. */
    private void recordTheLast() {
        try {
            node.record();
            node.recordKeyed();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("The last endings could not be recorded.", e);
        }
    }

    private void leave() {
        try {
            storage.leave(node.self().id());
        } catch (RuntimeException | LinkageError e) {
            LOG.warn(
                    "The storage was not told that {} has stopped; it will notice.",
                    node.self().id(),
                    e);
        }
    }
}
