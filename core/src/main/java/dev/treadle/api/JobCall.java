package dev.treadle.api;

import java.io.Serializable;

/**
 * A job given as a lambda that makes one call: {@code () -> slips.generate(42L)}. The lambda itself never runs. The call
 * is stored with its arguments and with the declared type of {@code slips}, and any node may make it later.
 */
@FunctionalInterface
public interface JobCall extends Serializable {
    /** Makes the call. */
    void run() throws Exception;
}
