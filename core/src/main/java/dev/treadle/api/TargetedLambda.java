package dev.treadle.api;

import java.io.Serializable;

/**
 * A job as a lambda of one call on a service that is at hand only where the job runs: {@code s -> s.generate(42L)}.
 *
 * @param <S> the service's type, which the {@link dev.treadle.job.JobActivator} supplies
 */
@FunctionalInterface
public interface TargetedLambda<S> extends Serializable {
    /** Makes the call. */
    void run(S service) throws Exception;
}
