package dev.treadle.engine;

import dev.treadle.job.Job;
import dev.treadle.job.NodeId;
import dev.treadle.payload.JsonArguments;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ManualServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Takes the turns of a {@link Node} on the calling thread, in a fixed order, and runs its jobs there. Thread-safe. */
public final class ManualJobServer extends AbstractJobServer implements ManualServer {
    private static final String EXECUTOR = "manual";
    /** How many turns one chore may take until it is done; one that needs more cannot write what it has to. */
    private static final int TURNS_MAX = 10_000;

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
                        WorkerPools.of(tasks::add, 1),
                        code.invoker(),
                        code.options(),
                        code.blocks(),
                        Runnable::run,
                        code.written()),
                settings,
                // no chore rests: each has its turn in every run
                Nudges.none(),
                environment);
    }

    /** Makes a server and writes its first heartbeat. */
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
            // a node whose last heartbeat is long ago may not claim
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
        // an interrupt that this job left behind must not reach the next one
        Thread.interrupted();
        recordAll();
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

    private void recordAll() {
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

    /** Does nothing: this server looks for jobs only when it is asked to run some. */
    @Override
    public void nudge() {}

    @Override
    Node node() {
        return node;
    }

    @Override
    public void stopClaiming() {
        locked(() -> {
            if (state == ServerState.RUNNING) {
                state = ServerState.STOPPING;
                node.stopDispatching();
            }
            return 0;
        });
    }

    @Override
    public void close() {
        if (turns.isHeldByCurrentThread()) {
            throw new IllegalStateException("A job cannot close the server that runs it.");
        }
        locked(() -> {
            if (state != ServerState.STOPPED) {
                state = ServerState.STOPPED;
                node.stopDispatching();
                recordAll();
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
