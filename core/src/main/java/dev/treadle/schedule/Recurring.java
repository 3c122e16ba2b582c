package dev.treadle.schedule;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a recurring job that calls a method of a bean, where a framework finds beans: Spring or CDI. The method has no
 * parameters; what it returns is the job's result.
 *
 * <pre>{@code
 * @Recurring(id = "nightly-cleanup", cron = "${cleanup.cron:0 2 * * *}", zone = "Europe/Berlin")
 * public void cleanUp() { … }
 * }</pre>
 *
 * <p>It is declared when the server of this application starts. Each slot makes one job, however many nodes there are. All
 * texts may hold placeholders. One of {@link #cron}, {@link #every} and {@link #delay} says when; {@value #OFF} switches it
 * off: it is paused, and resumed when the schedule is there again. If the annotation is removed, the recurring job stays
 * until somebody deletes it.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Recurring {
    /** The schedule that switches a recurring job off. */
    String OFF = "-";

    /** Its name, which must stay the same from release to release. */
    String id();

    /** A cron expression, as {@link Schedule#cron(String)} takes it. */
    String cron() default "";

    /** The time zone of the cron expression. Without one it is UTC. */
    String zone() default "";

    /** An interval such as {@code 10m} or {@code PT10M}, counted as {@link Schedule#every} does. */
    String every() default "";

    /** The time from the end of one run to the next, such as {@code 10m} or {@code PT10M}. */
    String delay() default "";

    /** What happens to runs that were missed: {@code once}, {@code skip} or {@code all 10}. See {@link Missed}. */
    String missed() default "once";

    /** What happens if the previous run has not ended. */
    Overlap overlap() default Overlap.ALLOW;

    /** Each run starts up to this much later, such as {@code 30s}. See {@link RecurringRules}. */
    String jitter() default "";

    /** The queue of its jobs. Without one it is the default queue. */
    String queue() default "";
}
