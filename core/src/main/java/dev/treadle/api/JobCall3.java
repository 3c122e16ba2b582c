package dev.treadle.api;

import java.io.Serializable;

/**
 * A job given as a method reference with three arguments: {@code mailer::send}.
 *
 * @param <A> the first argument's type
 * @param <B> the second argument's type
 * @param <C> the third argument's type
 */
@FunctionalInterface
public interface JobCall3<A, B, C> extends Serializable {
    /** Makes the call. */
    void run(A first, B second, C third) throws Exception;
}
