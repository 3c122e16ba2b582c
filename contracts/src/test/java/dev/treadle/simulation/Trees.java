package dev.treadle.simulation;

import dev.treadle.enqueue.IdSource;
import dev.treadle.job.JobId;
import dev.treadle.job.OperatorNote;
import dev.treadle.job.StateName;
import dev.treadle.lifecycle.JobAction;
import dev.treadle.storage.NewJob;
import dev.treadle.storage.StorageException;
import dev.treadle.storage.StorageProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Enqueues jobs that spawn jobs, signals to them, cancels them and runs them again. All its chance is its own, so that
 * worlds without it are as they were.
 */
final class Trees implements FaultyStorage.Actor {
    private static final int DEPTH_MAX = 3;
    private static final int ROOTS_MAX = 4;
    /** No more trees when there are so many jobs. */
    private static final int JOBS_MAX = 150;

    private final Cluster cluster;
    private final Dice dice;
    private final StorageProvider storage;
    private final TreeJobs maker;
    private final IdSource ids;
    private final List<NewJob> unanswered = new ArrayList<>();
    private int left;
    private int signals;

    Trees(Cluster cluster, Dice dice) {
        this.cluster = cluster;
        this.dice = dice;
        this.storage = cluster.connect(this);
        this.maker = new TreeJobs(cluster.plan().lanes());
        this.ids = new IdSource(cluster.time(), dice.source());
        this.left = dice.between(1, ROOTS_MAX);
    }

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public boolean isGone() {
        return false;
    }

    /** Does something in some of all steps. */
    void act() {
        int what = dice.below(100);
        if (what < 4) {
            enqueue();
        } else if (what < 8) {
            signal();
        } else if (what < 10) {
            decide();
        }
    }

    /** Repeats what was not answered, and signals most of what is waited for. */
    void finish() {
        left = 0;
        if (!unanswered.isEmpty()) {
            insert(unanswered.remove(0));
        }
        for (KnownGate gate : cluster.storage().gates().awaitedEvents()) {
            if (gate.id.hashCode() % 4 != 0) {
                signal(gate.waiter, gate.name);
            }
        }
    }

    boolean isFinished() {
        return unanswered.isEmpty();
    }

    private void enqueue() {
        if (!unanswered.isEmpty() && dice.chance(0.5)) {
            insert(unanswered.remove(0));
        } else if (left > 0 && cluster.ledger().all().size() < JOBS_MAX) {
            left--;
            insert(maker.root(ids.nextJobId(), Tree.of(dice.source().nextLong(), dice.between(1, DEPTH_MAX))));
        }
    }

    private void insert(NewJob root) {
        List<SimNode> hosts = cluster.nodes().stream().filter(SimNode::isAwake).toList();
        try {
            if (hosts.isEmpty() || dice.chance(0.5)) {
                storage.insert(List.of(root));
            } else {
                dice.pick(hosts).node().insert(List.of(root));
            }
        } catch (StorageException | SimulatedCrash e) {
            unanswered.add(root);
            return;
        }
        cluster.ledger().acknowledged(List.of(root.id()));
    }

    /** Mostly what somebody waits for, and now and then something that nobody has asked for yet. */
    private void signal() {
        List<KnownGate> awaited = cluster.storage().gates().awaitedEvents();
        if (!awaited.isEmpty() && dice.chance(0.7)) {
            KnownGate gate = dice.pick(awaited);
            signal(gate.waiter, gate.name);
            return;
        }
        List<JobTrack> trees = trees();
        if (!trees.isEmpty()) {
            signal(dice.pick(trees).id, "act-" + dice.between(1, 3));
        }
    }

    private void signal(JobId job, String name) {
        cluster.notes().say(name(), "signals", cluster.ledger().nameOf(job) + " " + name);
        try {
            storage.runs().gates().signal(job, name, "\"event " + ++signals + "\"", null);
        } catch (StorageException e) {
            // signals again later, as people do
        }
    }

    /** Cancels what waits, and runs again what has ended badly. */
    private void decide() {
        List<JobTrack> trees = trees();
        if (trees.isEmpty()) {
            return;
        }
        JobTrack track = dice.pick(trees);
        JobAction action = track.state.isFinal()
                ? dice.chance(0.3) ? JobAction.RUN_FROM_START : JobAction.RUN_AGAIN
                : JobAction.CANCEL;
        if (track.state == StateName.SUCCEEDED && dice.chance(0.7)) {
            return;
        }
        cluster.notes().say(name(), action.name().toLowerCase(Locale.ROOT), track);
        try {
            storage.act(action, new OperatorNote("tree", null), List.of(track.id), null);
        } catch (StorageException e) {
            // looks again later, as people do
        }
    }

    private List<JobTrack> trees() {
        return cluster.ledger().all().stream()
                .filter(track -> track.inserted.invocation().type().equals(Tree.class.getName()))
                .toList();
    }
}
