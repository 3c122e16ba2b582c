package dev.treadle.simulation;

import java.util.ArrayList;
import java.util.List;

/** What happens next in a world: chaos while there are faults, and one event after the other when there are none. */
final class Steps {
    /** Most time that a step takes when nothing is slow, in nanoseconds. */
    private static final int STEP_NANOS_MAX = 100_000;

    /** In how many calm steps another node joins. */
    private static final double GROWTH = 0.005;

    /** Time between two troubles, in milliseconds. */
    private static final int APART_MILLIS = 30_000;

    private final Cluster cluster;
    private final Dice dice;
    private final SimTime time;
    private final Notes notes;
    private final Operator operator;
    private final List<Client> clients = new ArrayList<>();
    private long troubleUntil;

    Steps(Cluster cluster) {
        this.cluster = cluster;
        this.dice = cluster.dice();
        this.time = cluster.time();
        this.notes = cluster.notes();
        this.operator = new Operator(cluster);
        Plan plan = cluster.plan();
        for (int i = 1; i <= plan.clients(); i++) {
            clients.add(new Client("c" + i, cluster, plan.kinds(), plan.jobs()));
        }
    }

    List<Client> clients() {
        return clients;
    }

    void chaotic() {
        Faults faults = cluster.faults();
        time.advance(dice.below(faults.stepMillis() * 1_000_000));
        if (dice.chance(faults.leap())) {
            time.advance(dice.below(faults.leapMillis()) * 1_000_000L);
        }
        cluster.goOn();
        misfortune(faults);
        int what = dice.below(100);
        if (what < 10) {
            dice.pick(clients).enqueue();
        } else if (what < 12) {
            operator.act();
        } else if (what < 12 + faults.tasks()) {
            task();
        } else if (what < 95) {
            turn(faults.unruly() && dice.chance(0.3));
        }
        notes.throwFirst();
    }

    private void misfortune(Faults faults) {
        if (dice.chance(0.1)) {
            cluster.startMissingNode();
        }
        List<SimNode> nodes = cluster.nodes();
        if (nodes.isEmpty()) {
            return;
        }
        if (dice.chance(faults.crash())) {
            cluster.crash(dice.pick(nodes));
        }
        if (dice.chance(faults.pause())) {
            cluster.pause(dice.pick(nodes));
        }
        if (dice.chance(faults.outage())) {
            if (dice.chance(0.5)) {
                cluster.outageForAll(dice.between(50, 3_000));
            } else {
                cluster.cutOff(dice.pick(nodes), dice.between(50, 3_000));
            }
        }
        if (dice.chance(faults.stop())) {
            cluster.stop(dice.pick(nodes));
        }
        setClock(faults);
    }

    private void setClock(Faults faults) {
        // what recurs makes a job for each slot that was leapt over, which are more than a world has time for
        if (cluster.plan().recurring() == 0 && dice.chance(faults.clockSet())) {
            cluster.setClock(dice.between(-faults.clockMillis(), faults.clockMillis()));
        }
    }

    /** Nothing fails, and hardly any time passes while somebody has something to do. */
    void calm(boolean clientsToo) {
        time.advance(dice.below(STEP_NANOS_MAX));
        cluster.goOn();
        cluster.startMissingNode();
        if (dice.chance(cluster.faults().stop())) {
            cluster.stop(dice.pick(cluster.nodes()));
        }
        setClock(cluster.faults());
        if (time.nanos() > troubleUntil && dice.chance(cluster.faults().outage())) {
            trouble(dice.between(100, 30_000));
        }
        if (clientsToo && dice.chance(GROWTH)) {
            cluster.grow();
        }
        boolean done =
                clientsToo && dice.chance(0.03) && enqueue() || dice.chance(0.5) && task() || turn(false) || task();
        if (!done) {
            time.advanceTo(nextEvent());
        }
        notes.throwFirst();
    }

    /** Something that hits everybody alike, and then nothing until everybody must have been heard again. */
    private void trouble(int millis) {
        troubleUntil = time.nanos() + (millis + APART_MILLIS) * 1_000_000L;
        if (dice.chance(0.5)) {
            cluster.outageForAll(millis);
        } else {
            cluster.pauseAll(millis);
        }
    }

    private boolean enqueue() {
        dice.pick(clients).enqueue();
        return true;
    }

    private boolean task() {
        List<SimNode> ready = cluster.nodes().stream().filter(SimNode::hasTask).toList();
        if (ready.isEmpty()) {
            return false;
        }
        dice.pick(ready).executor().runOne();
        return true;
    }

    /** Takes a turn whose rest has ended, or any. */
    private boolean turn(boolean early) {
        long until = early ? Long.MAX_VALUE : time.nanos();
        List<SimLoop> due = new ArrayList<>();
        List<SimNode> whose = new ArrayList<>();
        for (SimNode node : cluster.nodes()) {
            for (SimLoop loop : node.loops()) {
                if (node.isAwake() && loop.isDue(until)) {
                    due.add(loop);
                    whose.add(node);
                }
            }
        }
        if (due.isEmpty()) {
            return false;
        }
        int chosen = dice.below(due.size());
        whose.get(chosen).take(due.get(chosen), notes);
        return true;
    }

    private long nextEvent() {
        long next = Math.min(cluster.nextLate(), time.nanos() + 50_000_000);
        for (SimNode node : cluster.nodes()) {
            for (SimLoop loop : node.loops()) {
                next = Math.min(next, Math.max(loop.restEnds(), node.pausedUntil()));
            }
        }
        return next;
    }
}
