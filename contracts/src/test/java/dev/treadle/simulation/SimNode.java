package dev.treadle.simulation;

import dev.treadle.commit.OpenBlocks;
import dev.treadle.engine.Environment;
import dev.treadle.engine.ExecutionConfig;
import dev.treadle.engine.Node;
import dev.treadle.engine.Nudges;
import dev.treadle.engine.QueueSelection;
import dev.treadle.engine.WorkerPools;
import dev.treadle.invoke.Invoker;
import dev.treadle.invoke.RunOptions;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.lifecycle.Lease;
import dev.treadle.server.JobServerSettings;
import dev.treadle.server.QueueSettings;
import dev.treadle.storage.NodeInfo;
import dev.treadle.storage.StorageProvider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** One process that runs a node: its clock, its threads, and what became of it. */
final class SimNode implements FaultyStorage.Actor {
    /** The executor that a queue may name beside the usual one. */
    static final String SIDE = "side";

    private final String name;
    private final Invoker invoker;
    private final double rate;
    private final Node node;
    private final SimExecutor executor;
    private final SimTime time;
    private final SimLoop dispatch = new SimLoop("dispatch");
    private final SimLoop record = new SimLoop("record");
    private final SimLoop recordKeyed = new SimLoop("record keyed");
    private final SimLoop beat = new SimLoop("beat");
    private final SimLoop promote = new SimLoop("promote");
    private final SimLoop deadlines = new SimLoop("deadlines");
    private final SimLoop notebooks = new SimLoop("notes");
    private final SimLoop look = new SimLoop("look");
    private final SimLoop recur = new SimLoop("recur");
    private final SimLoop gates = new SimLoop("gates");
    private final List<SimLoop> loops = List.of(
            dispatch,
            record,
            beat,
            new SimLoop("rescue"),
            promote,
            new SimLoop("unpark"),
            look,
            recur,
            new SimLoop("tidy"),
            new SimLoop("stops"),
            new SimLoop("retention"),
            deadlines,
            notebooks,
            recordKeyed,
            gates);
    private final QueueSelection serving;
    private final Map<String, Integer> resources;
    /** In use by user code here, by resource. */
    private final Map<String, Integer> inUse = new HashMap<>();
    /** In user code here, by queue. */
    private final Map<String, Integer> inQueue = new HashMap<>();
    /** What it was last told to be paused, and when. */
    private Set<String> paused = Set.of();

    private long toldPaused;
    private final StorageProvider storage;
    private boolean gone;
    private boolean interrupted;
    private long pausedUntil;
    private long dispatchBegan;
    private int inUserCode;
    private long lastEnded;

    /** @param world the node's own clock, and the rate at which it runs */
    SimNode(Cluster cluster, String name, NodeId id, Release release, int workers, JobServerSettings settings) {
        this.name = name;
        UserCode code = new UserCode(this, cluster);
        this.invoker = Deployment.invoker(release, code, new TreeCode(this, code, cluster));
        this.time = cluster.time();
        double drift = cluster.faults().drift();
        this.rate = 1 + drift * (2 * cluster.dice().source().nextDouble() - 1);
        InstantSource clock = time.drifting(Duration.ofMinutes(cluster.dice().between(-60, 60)), rate);
        this.executor = new SimExecutor(cluster, this);
        this.storage = cluster.connect(this);
        this.serving = QueueSelection.of(settings);
        this.resources = settings.resources();
        WorkerPools.PoolConfig pool = new WorkerPools.PoolConfig(executor, workers);
        WorkerPools pools = new WorkerPools(pool, Map.of(SIDE, pool));
        this.node = new Node(
                storage,
                new NodeInfo(id, name, "simulated", 2 * workers),
                new ExecutionConfig(
                        pools,
                        invoker,
                        RunOptions.usual().withRule(Deployment.rule()),
                        new OpenBlocks(),
                        Runnable::run,
                        new TreeJobs(cluster.plan().lanes()),
                        ending -> {}),
                settings,
                new Nudges(
                        () -> dispatch.nudge(time.nanos()),
                        () -> record.nudge(time.nanos()),
                        () -> recordKeyed.nudge(time.nanos()),
                        () -> promote.nudge(time.nanos()),
                        () -> deadlines.nudge(time.nanos()),
                        () -> notebooks.nudge(time.nanos()),
                        () -> look.nudge(time.nanos()),
                        () -> recur.nudge(time.nanos()),
                        () -> gates.nudge(time.nanos())),
                new Environment(clock, cluster.dice().source()));
        dispatch.start(() -> {
            dispatchBegan = time.nanos();
            return node.dispatch();
        });
        record.start(node::record);
        recordKeyed.start(node::recordKeyed);
        beat.start(node::beat);
        loops.get(3).start(node::rescue);
        loops.get(4).start(node::promote);
        loops.get(5).start(node::unpark);
        look.start(node::look);
        recur.start(node::recur);
        gates.start(node::openGates);
        loops.get(8).start(node::tidy);
        loops.get(9).start(node::readStops);
        loops.get(10).start(node::retain);
        deadlines.start(node::watchDeadlines);
        notebooks.start(node::writeNotes);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    NodeId id() {
        return node.self().id();
    }

    Duration deadAfter() {
        return Objects.requireNonNull(node.self().deadAfter());
    }

    Node node() {
        return node;
    }

    StorageProvider storage() {
        return storage;
    }

    /** Whether it can run the jobs that call a target. */
    boolean knows(String target) {
        return invoker.knows(target);
    }

    SimExecutor executor() {
        return executor;
    }

    /** All loops; their turns may be taken while the node {@linkplain #isAwake is awake}. */
    List<SimLoop> loops() {
        return loops;
    }

    boolean hasTask() {
        return isAwake() && executor.hasTask();
    }

    boolean isAwake() {
        return !gone && pausedUntil <= time.nanos();
    }

    void take(SimLoop loop, Notes notes) {
        loop.take(time, rate, this, notes);
        // all nodes share one thread here, and jobs ask why they should end instead of being interrupted
        Thread.interrupted();
    }

    void pauseUntil(long moment) {
        pausedUntil = moment;
    }

    long pausedUntil() {
        return pausedUntil;
    }

    void crash() {
        gone = true;
    }

    /** No claiming and no chores any more; only beats and writing down go on, as when a server closes. */
    void endAllButRecording() {
        loops.stream().filter(loop -> !isForTheLast(loop)).forEach(SimLoop::end);
    }

    void endAll() {
        loops.forEach(SimLoop::end);
    }

    boolean isBusyClaiming() {
        return loops.stream().anyMatch(loop -> !isForTheLast(loop) && loop.isBusy());
    }

    boolean isBusyRecording() {
        return loops.stream().anyMatch(loop -> isForTheLast(loop) && loop.isBusy());
    }

    private boolean isForTheLast(SimLoop loop) {
        return loop == record || loop == recordKeyed || loop == beat;
    }

    void interrupt() {
        interrupted = true;
    }

    boolean isInterrupted() {
        return interrupted;
    }

    /** When the dispatch turn under way began, in nanoseconds of the storage's clock. */
    long dispatchBegan() {
        return dispatchBegan;
    }

    boolean isInUserCode() {
        return inUserCode > 0;
    }

    /** User code of a job begins here; gives back the token of the lease under which it does. */
    long begins(JobTrack track, Notes notes) {
        Lease lease = node.inFlight().running().stream()
                .filter(running -> running.job().id().equals(track.id) && !track.hasStarted(running.token()))
                .findFirst()
                .orElseThrow(() -> notes.broken(
                        Invariant.A_LEASE_STARTS_AT_MOST_ONCE, track + " began on " + name + " without a fresh lease"));
        track.start(lease.token());
        notes.demand(
                track.isWithinBounds(lease.token()),
                Invariant.ATTEMPTS_STAY_WITHIN_BOUNDS,
                () -> track + " began once too often");
        demandItsPlace(track, notes);
        demandItsResources(track, notes);
        inUserCode++;
        int workers = node.self().workers();
        notes.demand(
                inUserCode <= workers && node.running() <= workers,
                Invariant.PERMITS_BOUND_WHAT_RUNS,
                () -> inUserCode + " jobs run on " + name + " and " + node.running() + " permits of " + workers
                        + " are taken");
        return lease.token();
    }

    private void demandItsPlace(JobTrack track, Notes notes) {
        Lane lane = track.inserted.lane();
        notes.demand(
                serves(lane),
                Invariant.A_JOB_RUNS_WHERE_IT_MAY,
                () -> track + " of " + lane + " runs on " + name + " which serves " + serving);
        if (!lane.equals(Lane.DEFAULT)) {
            notes.reached(Sometimes.JOB_RAN_IN_ANOTHER_LANE);
        }
        int now = inQueue.merge(lane.queue(), 1, Integer::sum);
        for (QueueSettings queue : serving.queues()) {
            Integer limit = queue.concurrency();
            if (limit != null && queue.queue().equals(lane.queue())) {
                notes.demand(
                        now <= limit,
                        Invariant.A_QUEUE_KEEPS_ITS_LIMIT,
                        () -> now + " jobs of " + lane.queue() + " run on " + name + ", at most " + limit + " may");
                if (now == limit) {
                    notes.reached(Sometimes.QUEUE_REACHED_ITS_LIMIT);
                }
            }
        }
    }

    private void demandItsResources(JobTrack track, Notes notes) {
        Map<String, Integer> permits = resources;
        track.inserted.lane().uses().forEach((resource, amount) -> {
            int total = permits.get(resource);
            // who asks for more than there is gets all there is
            int now = inUse.merge(resource, Math.min(amount, total), Integer::sum);
            notes.demand(
                    now <= total,
                    Invariant.A_RESOURCE_KEEPS_ITS_LIMIT,
                    () -> now + " of " + resource + " are used on " + name + ", and there are " + total);
            if (now == total) {
                notes.reached(Sometimes.RESOURCE_REACHED_ITS_LIMIT);
            }
        });
    }

    /** Whether nothing is held of any resource. */
    boolean holdsNothing() {
        return node.resources().stream().allMatch(use -> use.inUse() == 0);
    }

    /** Whether it takes the jobs of a lane. */
    boolean serves(Lane lane) {
        boolean named =
                serving.queues().stream().anyMatch(queue -> queue.queue().equals(lane.queue()));
        return lane.admits(serving.tags()) && (serving.others() || named);
    }

    /** It was told which queues are paused. */
    void toldPaused(Set<String> queues) {
        paused = queues;
        toldPaused = time.nanos();
    }

    /** Whether it knew at a moment that it must start nothing of a queue. */
    boolean knewPaused(String queue, long moment) {
        return paused.contains(queue) && toldPaused < moment;
    }

    void ended(JobTrack track) {
        inQueue.merge(track.inserted.lane().queue(), -1, Integer::sum);
        track.inserted
                .lane()
                .uses()
                .forEach((resource, amount) ->
                        inUse.merge(resource, -Math.min(amount, resources.get(resource)), Integer::sum));
        inUserCode--;
        lastEnded = time.nanos();
    }

    /** When user code last ended here, in nanoseconds. */
    long lastEnded() {
        return lastEnded;
    }
}
