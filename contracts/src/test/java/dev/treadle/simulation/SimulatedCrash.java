package dev.treadle.simulation;

/** Ends everything that a crashed node still has on the simulation's one stack. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedCrash() {
        super("the node is gone", null, false, false);
    }
}
