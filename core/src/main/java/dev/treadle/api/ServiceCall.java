package dev.treadle.api;

import java.io.Serializable;

/**
 * A job given as a lambda that makes one call on a service which exists only where the job runs:
 * {@code s -> s.generate(42L)}.
 *
 * @param <S> the service's type; the {@link dev.treadle.job.JobActivator} supplies the instance
 */
@FunctionalInterface
public interface ServiceCall<S> extends Serializable {
    /** Makes the call. */
    void run(S service) throws Exception;
}
