package dev.treadle.engine;

import dev.treadle.job.Invocation;
import dev.treadle.job.Job;
import dev.treadle.job.NodeId;
import dev.treadle.payload.JsonArguments;
import dev.treadle.payload.TypeNames;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.ManualServer;
import dev.treadle.server.ServerState;
import dev.treadle.storage.NodeBeat;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.PendingWork;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes the turns of a {@link Node} on the calling thread, in a fixed order, and runs its jobs there. Thread-safe. */
public final class ManualJobServer extends AbstractJobServer implements ManualServer {
    private static final String EXECUTOR = "manual";
    /** How many turns one chore may take until it is done; one that needs more cannot write what it has to. */
    private static final int TURNS_MAX = 10_000;

    private final StorageProvider storage;
    private final Supplier<Node> nodes;
    private final JsonArguments arguments;
    private final InstantSource time;
    private final TypeNames names;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ReentrantLock turns = new ReentrantLock();
    /** The one that runs jobs now. Written under {@link #turns}. */
    private volatile Node node;
    /** The one whose job is under way while another has taken over. Guarded by {@link #turns}, like the next two. */
    private @Nullable Node hung;
    /** Those before this one that may still hold jobs. */
    private final Set<NodeId> before = new HashSet<>();
    /** How long until it makes sense to look at those again. */
    private Duration untilLook = Duration.ZERO;

    private volatile ServerState state = ServerState.RUNNING;

    private ManualJobServer(
            StorageProvider storage,
            DefaultJobServer.JobCode code,
            JobServerSettings settings,
            JsonArguments arguments,
            Environment environment) {
        this.storage = storage;
        this.arguments = arguments;
        this.names = code.invoker().names();
        this.time = environment.time();
        this.nodes = () -> new Node(
                storage,
                new NodeInfo(
                        new NodeId(environment.random().nextLong() & Long.MAX_VALUE),
                        settings.name() == null ? EXECUTOR : settings.name(),
                        EXECUTOR,
                        1),
                new ExecutionConfig(
                        WorkerPools.of(tasks::add, 1),
                        code.invoker(),
                        code.options(),
                        code.blocks(),
                        Runnable::run,
                        code.children(),
                        code.written()),
                settings,
                // no chore rests: each has its turn in every run
                Nudges.none(),
                environment);
        this.node = nodes.get();
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
            for (int more = 1; ran < max && more > 0; ran += more) {
                more = runOne();
            }
            return ran;
        });
    }

    /** Runs the next job that may run now, or the next chunk of jobs; gives how many ran. */
    private int runOne() {
        for (int left = TURNS_MAX; tasks.isEmpty() && left > 0; left--) {
            if (!node.dispatch().isZero()) {
                break;
            }
        }
        if (tasks.isEmpty()) {
            // nothing else is due now: a test does not wait for what may come
            node.completeChunks();
        }
        Runnable task = tasks.poll();
        if (task == null) {
            return 0;
        }
        Node ran = node;
        long before = ran.localQueues().ended();
        task.run();
        int ended = (int) (ran.localQueues().ended() - before);
        // an interrupt that this job left behind must not reach the next one
        Thread.interrupted();
        boolean late = ran == hung;
        hung = null;
        if (ran == node || late) {
            recordAll(ran);
        }
        if (ran != node) {
            // what the node before had claimed ahead is an orphan now
            tasks.clear();
        }
        makeDue();
        return Math.max(1, ended);
    }

    private void makeDue() {
        look();
        node.readStops();
        node.unpark();
        untilDone(node::promote);
        untilDone(node::recur);
        node.lookAtGates();
        untilDone(node::openGates);
        node.watch();
        node.jobsBecameDue();
    }

    private static void recordAll(Node node) {
        node.writeNotes();
        recordEndings(node);
    }

    private static void recordEndings(Node node) {
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

    /** The time of the test. */
    InstantSource time() {
        return time;
    }

    @Override
    public Optional<Duration> untilNextDue() {
        return locked(() -> {
            PendingWork pending = storage.outlook(node.self().id());
            return Stream.of(pending.untilDue(), pending.untilSlot(), before.isEmpty() ? null : untilLook)
                    .filter(Objects::nonNull)
                    .min(Comparator.naturalOrder());
        });
    }

    @Override
    public void crash() {
        locked(() -> {
            Node dead = node;
            // only the job under way is held by the dead node; what it had claimed ahead would make tests hard to
            // follow
            dead.stopDispatching();
            recordEndings(dead);
            goOnWithout(dead);
            return dead;
        });
    }

    @Override
    public void hang() {
        locked(() -> {
            hung = node;
            goOnWithout(node);
            return node;
        });
    }

    private void goOnWithout(Node last) {
        before.add(last.self().id());
        node = nodes.get();
        node.beat();
        look();
    }

    @Override
    public Optional<Duration> rescue() {
        return locked(() -> {
            look();
            return before.isEmpty() ? Optional.<Duration>empty() : Optional.of(untilLook);
        });
    }

    private void look() {
        if (before.isEmpty()) {
            return;
        }
        node.beat();
        untilLook = node.rescue();
        Set<NodeId> there = storage.beats().stream().map(NodeBeat::node).collect(Collectors.toSet());
        if (before.stream().noneMatch(there::contains)
                && storage.orphans(node.self().id(), 1).isEmpty()) {
            before.clear();
        }
    }

    @Override
    public <T> T request(Job job, Class<T> type) {
        Invocation now = names.hereAndNow(job.invocation());
        if (now.method() != null || !now.type().equals(type.getName())) {
            throw new IllegalArgumentException("Job " + job.id() + " calls "
                    + job.invocation().target() + " and has no request of " + type.getName() + ".");
        }
        return arguments.readRequest(now.arguments(), type);
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
                recordAll(node);
                storage.leave(node.self().id());
            }
            return state;
        });
    }

    private <T> T locked(Supplier<T> work) {
        turns.lock();
        try {
            return work.get();
        } finally {
            turns.unlock();
        }
    }
}
