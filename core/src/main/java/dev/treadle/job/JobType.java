package dev.treadle.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name under which jobs are stored, so that the class or method may be renamed and moved:
 *
 * <pre>{@code
 * @JobType("invoice.send")
 * record SendInvoice(long id) implements JobRequest<Void> {}
 *
 * @JobType(formerly = "com.acme.billing.SendInvoice")   // jobs stored under the old class name run here
 * record SendBill(long id) implements JobRequest<Void> {}
 * }</pre>
 *
 * <p>On a request type it counts as soon as the type has a handler or is enqueued. On a class whose methods jobs call,
 * and on such a method, it counts if the class is given to {@link JobTypes}: a server that reads a name has to find the
 * class. The name of a method stands for its parameters too, so their types may change. Subclasses do not inherit it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface JobType {
    /** Longest name, in characters. */
    int NAME_LENGTH_MAX = 200;

    /**
     * The name: words of letters, digits, {@code _}, {@code $} and {@code -}, with dots between them; that of a method has
     * no dots. By default it is the class name, or the method with its parameter types.
     */
    String value() default "";

    /**
     * Names under which jobs were stored before, the oldest first. The first one is also what the names of
     * {@linkplain Unique#byCall unique} jobs and derived ids are made of, so keep it first. A class name that jobs were
     * stored under counts even if it is not listed; list it where unique jobs or derived ids are in use. For a method, give
     * its former name, or name and parameter types: {@code "generate(int)"}.
     */
    String[] formerly() default {};
}
