package dev.treadle.simulation;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.Lane;
import dev.treadle.job.NodeId;
import dev.treadle.job.OperatorNote;
import dev.treadle.storage.admin.AdminStorage;
import dev.treadle.storage.memory.InMemoryStorageProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One world: a storage, the nodes and clients that use it, and what is still under way between them. */
final class Cluster {
    private static final int NODES_MAX = 6;
    /** How deep calls and jobs that let others go on may lie within each other. */
    private static final int DEPTH_MAX = 3;
    /** Most time by which a call that failed may take effect late, in milliseconds; a node doubts for twice deadAfter. */
    private static final int LATE_MILLIS_MAX = 1_500;

    /** The longest that a call or a job takes, in nanoseconds, if the steps meanwhile do. */
    private static final long LONG_NANOS = 4_000_000_000L;

    /** How long after an outage a loop may still rest, in nanoseconds. */
    private static final long BACKOFF_NANOS_MAX = 6_000_000_000L;

    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private final Dice dice;
    private final SimTime time;
    private final Notes notes;
    private final Plan plan;
    private final Mutant mutant;
    private final Ledger ledger;
    private final Recurrences recurrences;
    private final ObservedStorage storage;
    private final IdSource nodeIds;
    private final List<SimNode> nodes = new ArrayList<>();
    private final List<Stopping> stopping = new ArrayList<>();
    private final PriorityQueue<Late> late =
            new PriorityQueue<>(Comparator.comparingLong(Late::nanos).thenComparingInt(Late::order));
    private Faults faults;
    private Runnable step = () -> {};
    /** Whether the key of an ending is held by an application just now. */
    private BooleanSupplier isKeyHeld = () -> false;
    /** Whom the storage is away for; null means everybody. */
    private FaultyStorage.@Nullable Actor cutOff;

    private long outageUntil = LONG_AGO;
    private int depth;
    private int nodesMade;
    private int wanted;
    private int lateMade;

    private record Late(long nanos, int order, Runnable effect) {}

    Cluster(Dice dice, SimTime time, Notes notes, Plan plan, Mutant mutant) {
        this.dice = dice;
        this.time = time;
        this.notes = notes;
        this.plan = plan;
        this.mutant = mutant;
        this.faults = plan.faults();
        this.wanted = plan.nodes();
        this.ledger = new Ledger(notes, time, plan.settings().retries());
        this.recurrences = new Recurrences(notes, time);
        this.storage =
                new ObservedStorage(mutant.below(new InMemoryStorageProvider(time)), ledger, recurrences, notes, time);
        recurrences.declare(plan.recurring(), dice, storage.recurring());
        this.nodeIds = new IdSource(time, dice.source());
    }

    Dice dice() {
        return dice;
    }

    SimTime time() {
        return time;
    }

    Notes notes() {
        return notes;
    }

    Plan plan() {
        return plan;
    }

    Ledger ledger() {
        return ledger;
    }

    Recurrences recurrences() {
        return recurrences;
    }

    ObservedStorage storage() {
        return storage;
    }

    Faults faults() {
        return faults;
    }

    List<SimNode> nodes() {
        return nodes;
    }

    /** Lets every queue go on. */
    void resumeAll() {
        plan.lanes()
                .forEach(lane -> storage.queues().resume(lane.queue(), new OperatorNote("the end of faults", null)));
    }

    /** Whether some node that is there takes the jobs of a lane. */
    boolean serves(Lane lane) {
        return nodes.stream().anyMatch(node -> node.serves(lane));
    }

    void endFaults() {
        faults = Faults.NONE;
        outageUntil = Math.min(outageUntil, time.nanos());
        time.setRight();
        nodes.forEach(node -> node.pauseUntil(0));
    }

    /** From now on an application holds keys, each for as long as this says. */
    void keysAreHeld(BooleanSupplier isKeyHeld) {
        this.isKeyHeld = () -> faults != Faults.NONE && isKeyHeld.getAsBoolean();
    }

    boolean isKeyHeld() {
        return isKeyHeld.getAsBoolean();
    }

    /** What one step is, for those that let others go on. */
    void stepsAre(Runnable step) {
        this.step = step;
    }

    AdminStorage connect(FaultyStorage.Actor actor) {
        AdminStorage faulty = new FaultyStorage(storage, this, actor);
        return actor instanceof SimNode ? AdminStorage.of(mutant.above(faulty)) : faulty;
    }

    /** Lets the others go on while a call or a job is under way: mostly for a few steps, now and then for many. */
    void letOthersRun() {
        if (depth == DEPTH_MAX) {
            return;
        }
        depth++;
        try {
            boolean veryLong = dice.chance(0.05);
            long until = time.nanos() + (veryLong ? LONG_NANOS : Long.MAX_VALUE / 2);
            int most = veryLong ? 300 : dice.between(1, dice.chance(0.15) ? 80 : 8);
            for (int left = most; left > 0 && time.nanos() < until; left--) {
                step.run();
            }
        } finally {
            depth--;
        }
    }

    void later(Runnable effect) {
        late.add(new Late(time.nanos() + dice.below(LATE_MILLIS_MAX) * 1_000_000L, ++lateMade, effect));
    }

    boolean nothingIsUnderWay() {
        return late.isEmpty() && stopping.isEmpty();
    }

    /** Lets take effect what is due to, and nodes that are being stopped go on with that. */
    void goOn() {
        while (!late.isEmpty() && late.peek().nanos() <= time.nanos()) {
            late.remove().effect().run();
        }
        List.copyOf(stopping).forEach(Stopping::goOn);
        stopping.removeIf(one -> one.node().isGone());
        nodes.removeIf(SimNode::isGone);
    }

    /** When the next late call takes effect; {@link Long#MAX_VALUE} if there is none. */
    long nextLate() {
        return late.isEmpty() ? Long.MAX_VALUE : late.peek().nanos();
    }

    void startMissingNode() {
        if (nodes.size() < wanted) {
            Release release = plan.calm() || faults == Faults.NONE || dice.chance(0.5) ? Release.NEW : Release.OLD;
            SimNode node = new SimNode(
                    this,
                    "n" + ++nodesMade,
                    nodeIds.nextNodeId(),
                    release,
                    dice.between(1, 4),
                    plan.settingsOfNode(dice));
            notes.say(node.name(), "starts", release);
            nodes.add(node);
        }
    }

    /** From now on there shall be one node more, up to a limit. */
    void grow() {
        wanted = Math.min(NODES_MAX, wanted + 1);
    }

    boolean isComplete() {
        return nodes.size() == wanted && nodes.stream().noneMatch(SimNode::isGone);
    }

    void crash(SimNode node) {
        notes.say(node.name(), "crashes", "");
        notes.reached(node.isInUserCode() ? Sometimes.NODE_CRASHED_WHILE_A_JOB_RAN : Sometimes.NODE_CRASHED);
        node.crash();
    }

    /** As when the machine that everybody runs on is suspended. */
    void pauseAll(int millis) {
        notes.say("all", "pause", millis + " ms");
        time.advance(millis * 1_000_000L);
    }

    void pause(SimNode node) {
        int millis = dice.chance(0.3) ? dice.between(3_000, 10_000) : dice.between(50, 3_000);
        notes.say(node.name(), "pauses", millis + " ms");
        if (millis > node.deadAfter().toMillis()) {
            notes.reached(Sometimes.NODE_PAUSED_UNTIL_TAKEN_FOR_DEAD);
        }
        node.pauseUntil(time.nanos() + millis * 1_000_000L);
    }

    /** Sets the clock of the storage, either way. */
    void setClock(int millis) {
        notes.say("storage", "has its clock set", "by " + millis + " ms");
        notes.reached(millis < 0 ? Sometimes.CLOCK_SET_BACK : Sometimes.CLOCK_SET_FORWARD);
        time.set(millis * 1_000_000L);
    }

    void outageForAll(int millis) {
        notes.say("all", "cut off", millis + " ms");
        outage(null, millis);
    }

    void cutOff(SimNode node, int millis) {
        notes.say(node.name(), "cut off", millis + " ms");
        outage(node, millis);
    }

    private void outage(@Nullable SimNode node, int millis) {
        notes.reached(Sometimes.CUT_OFF);
        cutOff = node;
        outageUntil = time.nanos() + millis * 1_000_000L;
    }

    boolean isAwayFor(FaultyStorage.Actor actor) {
        return time.nanos() < outageUntil && (cutOff == null || cutOff == actor);
    }

    void stop(SimNode node) {
        if (stopping.stream().noneMatch(one -> one.node() == node)) {
            notes.say(node.name(), "is stopped", "");
            long lastOutage = outageUntil + BACKOFF_NANOS_MAX;
            boolean calm = plan.calm() && lastOutage < time.nanos();
            stopping.add(new Stopping(
                    node,
                    time,
                    notes,
                    dice.below(1_000) * 1_000_000L,
                    () -> calm && outageUntil + BACKOFF_NANOS_MAX == lastOutage));
        }
    }

    /** Only a node that the storage surely takes for alive may claim. */
    void demandAlive(NodeId id) {
        for (SimNode node : nodes) {
            if (node.id().equals(id)) {
                demandAlive(id, node.dispatchBegan());
            }
        }
    }

    /** The same for what a node decided at a moment, in nanoseconds. */
    void demandAlive(NodeId id, long decided) {
        for (SimNode node : nodes) {
            if (node.id().equals(id)) {
                Long beat = storage.beatOf(id);
                notes.demand(
                        beat != null && decided - beat < node.deadAfter().toNanos(),
                        Invariant.ONLY_THE_LIVING_CLAIM,
                        () -> node.name() + " claims and was silent since " + beat + " ns");
            }
        }
    }
}
