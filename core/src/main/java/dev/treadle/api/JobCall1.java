package dev.treadle.api;

import java.io.Serializable;

/**
 * A job given as a method reference, or as a lambda that makes one call, with one argument: {@code slips::generate} or
 * {@code id -> slips.generate(id)}.
 *
 * @param <A> the argument's type
 */
@FunctionalInterface
public interface JobCall1<A> extends Serializable {
    /** Makes the call. */
    void run(A argument) throws Exception;
}
