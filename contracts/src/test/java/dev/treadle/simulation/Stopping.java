package dev.treadle.simulation;

import dev.treadle.storage.StorageException;
import java.util.function.BooleanSupplier;

/** A node on its way out, in the steps in which a server closes. */
final class Stopping {
    private static final long INTERRUPTED_NANOS_MAX = 500_000_000;

    private static final long TURN_NANOS_MAX = 200_000_000;

    private final SimNode node;
    private final SimTime time;
    private final Notes notes;
    private final long patience;
    private final BooleanSupplier calm;
    private Phase phase = Phase.CLAIMING_ENDS;
    private long until;

    private enum Phase {
        CLAIMING_ENDS,
        JOBS_END,
        INTERRUPTED_JOBS_END,
        LEAVING
    }

    /**
     * @param patience how long running jobs may go on, in nanoseconds
     * @param calm     whether nothing has kept the node from writing down what it has
     */
    Stopping(SimNode node, SimTime time, Notes notes, long patience, BooleanSupplier calm) {
        this.node = node;
        this.time = time;
        this.notes = notes;
        this.patience = patience;
        this.calm = calm;
        this.until = time.nanos() + TURN_NANOS_MAX;
        node.endAllButRecording();
    }

    SimNode node() {
        return node;
    }

    void goOn() {
        if (node.isGone() || !node.isAwake()) {
            return;
        }
        boolean over = node.node().inFlight().size() == 0 || time.nanos() > until;
        switch (phase) {
            case CLAIMING_ENDS -> {
                // why without waiting for ever: a turn may hang in a call that nothing ends
                if (!node.isBusyClaiming() || time.nanos() > until) {
                    node.node().stopDispatching();
                    until = time.nanos() + patience;
                    phase = Phase.JOBS_END;
                }
            }
            case JOBS_END -> {
                if (over) {
                    node.interrupt();
                    until = time.nanos() + INTERRUPTED_NANOS_MAX;
                    phase = Phase.INTERRUPTED_JOBS_END;
                }
            }
            case INTERRUPTED_JOBS_END -> {
                if (over && !node.isBusyRecording()) {
                    phase = Phase.LEAVING;
                    leave();
                }
            }
            case LEAVING -> {
                // under way
            }
        }
    }

    private void leave() {
        boolean empty = node.node().inFlight().size() == 0;
        notes.say(node.name(), "stops", empty ? "gracefully" : "with jobs left");
        notes.demand(
                empty || !calm.getAsBoolean() || node.executor().hasTask() || isStillRunning(),
                Invariant.WHO_STOPS_GIVES_BACK,
                () -> node.name() + " leaves with " + node.node().inFlight().size() + " jobs and none of them runs");
        node.endAll();
        notes.reached(empty ? Sometimes.NODE_LEFT_GRACEFULLY : Sometimes.NODE_STOPPED_WITH_JOBS_LEFT);
        try {
            if (empty) {
                node.storage().leave(node.id());
            }
        } catch (StorageException | SimulatedCrash e) {
            // the others will notice
        } finally {
            node.crash();
        }
    }

    /** A job that has ended this moment may not be written down yet. */
    private boolean isStillRunning() {
        return node.isInUserCode() || time.nanos() - node.lastEnded() < INTERRUPTED_NANOS_MAX;
    }
}
