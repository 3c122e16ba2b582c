package dev.treadle.simulation;

/** An invariant that did not hold. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final Invariant invariant;

    Violation(Invariant invariant, String what) {
        super(invariant + ": " + what);
        this.invariant = invariant;
    }

    Invariant invariant() {
        return invariant;
    }
}
