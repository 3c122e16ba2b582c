package dev.treadle.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Traits of each job of a request type, of a called method, or of all called methods of a class:
 *
 * <pre>{@code
 * @JobDefaults(queue = "mail", attempts = 3, timeout = "PT30S", name = "Mail to {to}")
 * record SendMail(String to) implements JobRequest<Void> {}
 * }</pre>
 *
 * <p>They are read when a job is enqueued and stored with it, so a change affects only later jobs. What the
 * {@linkplain JobTraits options} of the enqueue set counts first, then the method, then the class, then the defaults of
 * {@link JobTraits}. Subclasses do not inherit it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface JobDefaults {
    /** Stands for a priority that is not set. */
    int NO_PRIORITY = Integer.MIN_VALUE;

    /** The name that people see; may contain arguments, such as <code>{0}</code> or <code>{employee}</code>. */
    String name() default "";

    /** The queue. */
    String queue() default "";

    /** The priority; a smaller number runs first. */
    int priority() default NO_PRIORITY;

    /** Attempts in all, the first included, with the waits of {@link RetryPolicy#DEFAULT}; 0 for the server's policy. */
    int attempts() default 0;

    /** How long one attempt may run, in ISO 8601: {@code "PT30S"}, {@code "PT2H"}. */
    String timeout() default "";

    /** Labels to find the job by. */
    String[] labels() default {};

    /** Only nodes that have all these tags run the job. */
    String[] tags() default {};
}
