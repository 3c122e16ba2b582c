package dev.treadle.api;

import java.io.Serializable;

/**
 * As {@link ServiceCall}, with one argument: {@code (s, id) -> s.generate(id)} or {@code SalarySlipService::generate}.
 *
 * @param <S> the service's type
 * @param <A> the argument's type
 */
@FunctionalInterface
public interface ServiceCall1<S, A> extends Serializable {
    /** Makes the call. */
    void run(S service, A argument) throws Exception;
}
