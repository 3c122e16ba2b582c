package dev.treadle.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A value that people must not see: the dashboard and its API show three dots in its place, in arguments, lists,
 * results, messages and lines of the log that name it, and names made of arguments are made without it. Put it on a
 * component of a record, a field or a getter of what a job takes or returns, at any depth, or on a parameter of a
 * method that is called as a job:
 *
 * <pre>{@code
 * record Pay(long employee, @Secret String account) implements JobRequest<Void> {}
 * }</pre>
 *
 * <p>It hides and does not encrypt: the database holds the plain value, because the job needs it. A dashboard in a
 * process without the class cannot see the mark; there, name the field with the dashboard's {@code hide(…)}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface Secret {}
