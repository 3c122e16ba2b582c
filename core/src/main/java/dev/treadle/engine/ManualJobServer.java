package dev.treadle.engine;

import dev.treadle.job.Job;
import dev.treadle.job.JobId;
import dev.treadle.job.NodeId;
import dev.treadle.job.ResourceUse;
import dev.treadle.job.ThreadStack;
import dev.treadle.payload.JsonArguments;
import dev.treadle.server.ConcurrencyLimit;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ManualServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Takes the turns of a {@link Node} on the calling thread, in a fixed order, and runs its jobs there. Thread-safe. */
public final class ManualJobServer implements ManualServer {
    private static final String EXECUTOR = "manual";
    /** Most turns of one chore that is never done; a chore that needs more cannot write what it has to. */
    private static final int TURNS_MAX = 10_000;

    private static final Runnable NOBODY = () -> {};

    private final StorageProvider storage;
    private final Node node;
    private final JsonArguments arguments;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ReentrantLock turns = new ReentrantLock();
    private volatile ServerState state = ServerState.RUNNING;

    private ManualJobServer(
            StorageProvider storage,
            DefaultJobServer.JobCode code,
            JobServerSettings settings,
            JsonArguments arguments,
            Environment environment) {
        this.storage = storage;
        this.arguments = arguments;
        NodeId id = new NodeId(environment.random().nextLong() & Long.MAX_VALUE);
        this.node = new Node(
                storage,
                new NodeInfo(id, settings.name() == null ? EXECUTOR : settings.name(), EXECUTOR, 1),
                new ExecutionConfig(
                        WorkerPools.of(tasks::add, 1), code.invoker(), code.options(), Runnable::run, code.written()),
                settings,
                // why none: every chore has its turn in each run
                new Nudges(NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY),
                environment);
    }

    /** Makes one that the storage knows of. */
    public static ManualJobServer start(
            StorageProvider storage,
            DefaultJobServer.JobCode code,
            JobServerSettings settings,
            JsonArguments arguments,
            Environment environment) {
        ManualJobServer server = new ManualJobServer(storage, code, settings, arguments, environment);
        server.node.beat();
        return server;
    }

    @Override
    public int run(int max) {
        if (turns.isHeldByCurrentThread()) {
            throw new IllegalStateException("A job cannot run other jobs: they run one after another, after this one.");
        }
        return locked(() -> {
            if (state != ServerState.RUNNING) {
                throw new IllegalStateException("This server is closed, so it runs no jobs.");
            }
            // first: a node that was not heard of for long may not claim
            node.beat();
            makeDue();
            int ran = 0;
            while (ran < max && runOne()) {
                ran++;
            }
            return ran;
        });
    }

    /** Runs the next job that may run now; false if there is none. */
    private boolean runOne() {
        for (int left = TURNS_MAX; tasks.isEmpty() && left > 0; left--) {
            if (!node.dispatch().isZero()) {
                break;
            }
        }
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        task.run();
        // what the job did to its thread is not for the next one
        Thread.interrupted();
        writeDown();
        makeDue();
        return true;
    }

    private void makeDue() {
        node.readStops();
        node.unpark();
        untilDone(node::promote);
        untilDone(node::recur);
        node.watch();
        node.jobsBecameDue();
    }

    private void writeDown() {
        node.writeNotes();
        untilDone(node::record);
        untilDone(node::recordKeyed);
    }

    private static void untilDone(Supplier<Duration> chore) {
        for (int left = TURNS_MAX; chore.get().isZero(); left--) {
            if (left == 0) {
                throw new IllegalStateException("A chore was not done after " + TURNS_MAX + " turns; see the log.");
            }
        }
    }

    @Override
    public Optional<Duration> untilNextDue() {
        PendingWork pending = storage.outlook(node.self().id());
        Duration job = pending.untilDue();
        Duration slot = pending.untilSlot();
        if (job == null || slot == null) {
            return Optional.ofNullable(job == null ? slot : job);
        }
        return Optional.of(job.compareTo(slot) < 0 ? job : slot);
    }

    @Override
    public <T> T request(Job job, Class<T> type) {
        if (job.invocation().method() != null || !job.invocation().type().equals(type.getName())) {
            throw new IllegalArgumentException("Job " + job.id() + " calls "
                    + job.invocation().target() + " and has no request of " + type.getName() + ".");
        }
        return arguments.readRequest(job.invocation().arguments(), type);
    }

    @Override
    public ServerState state() {
        return state;
    }

    /** Does nothing: it looks when it is asked to run jobs. */
    @Override
    public void nudge() {}

    @Override
    public NodeInfo self() {
        return node.self();
    }

    @Override
    public int running() {
        return node.running();
    }

    @Override
    public ConcurrencyLimit admitted() {
        return node.admitted();
    }

    @Override
    public List<ResourceUse> resources() {
        return node.resources();
    }

    @Override
    public List<ThreadStack> stacksOf(JobId id) {
        return node.inFlight().stacksOf(id);
    }

    @Override
    public int inFlight() {
        return node.inFlight().size();
    }

    @Override
    public void close() {
        if (turns.isHeldByCurrentThread()) {
            throw new IllegalStateException("A job cannot close the server that runs it.");
        }
        locked(() -> {
            if (state == ServerState.RUNNING) {
                state = ServerState.STOPPED;
                node.stopDispatching();
                writeDown();
                storage.leave(node.self().id());
            }
            return 0;
        });
    }

    private int locked(Supplier<Integer> work) {
        turns.lock();
        try {
            return work.get();
        } finally {
            turns.unlock();
        }
    }
}
