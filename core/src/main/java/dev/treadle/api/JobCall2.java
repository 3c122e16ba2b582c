package dev.treadle.api;

import java.io.Serializable;

/**
 * A job given as a method reference with two arguments: {@code mailer::send}.
 *
 * @param <A> the first argument's type
 * @param <B> the second argument's type
 */
@FunctionalInterface
public interface JobCall2<A, B> extends Serializable {
    /** Makes the call. */
    void run(A first, B second) throws Exception;
}
