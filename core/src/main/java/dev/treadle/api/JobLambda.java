package dev.treadle.api;

import java.io.Serializable;

/**
 * A job as a lambda of one call: {@code () -> slips.generate(42L)}. It is never run where it is written: its call is
 * stored, with its arguments and the declared type of {@code slips}, and made later on any node.
 */
@FunctionalInterface
public interface JobLambda extends Serializable {
    /** Makes the call. */
    void run() throws Exception;
}
