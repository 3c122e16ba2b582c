package dev.treadle.api;

import java.io.Serializable;

/**
 * One job for each item, called on a service that is at hand only where the job runs:
 * {@code (s, id) -> s.generate(id)} or {@code SalarySlipService::generate}.
 *
 * @param <S> the service's type
 * @param <T> the items' type
 */
@FunctionalInterface
public interface TargetedItemLambda<S, T> extends Serializable {
    /** Makes the call. */
    void run(S service, T item) throws Exception;
}
