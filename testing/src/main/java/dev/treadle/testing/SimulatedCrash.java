package dev.treadle.testing;

/**
 * Ends the code of a job whose process {@linkplain Fault crashes} in a test. An error, so that code which catches exceptions
 * does not go on as if nothing had happened.
 */
public final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1;

    SimulatedCrash(String message) {
        super(message);
    }
}
