package dev.treadle.api;

import java.io.Serializable;

/**
 * One job for each item, as a lambda of one call or a method reference: {@code id -> slips.generate(id)} or
 * {@code slips::generate}.
 *
 * @param <T> the items' type
 */
@FunctionalInterface
public interface ItemLambda<T> extends Serializable {
    /** Makes the call. */
    void run(T item) throws Exception;
}
