package dev.treadle.job;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The resources that each job of a request type, of a called method, or of all called methods of a class uses while it
 * runs: {@code @Uses("db")}. They are read when a job is enqueued and stored with it, so a change affects only later
 * jobs. If the {@linkplain JobTraits#withUses options} name the same resource, they count instead; then the method, then
 * the class.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Repeatable(Uses.All.class)
public @interface Uses {
    /**
     * The resource that every node has: its heap, with one permit for each MiB. Unless it is declared, jobs may together
     * estimate half of what the JVM's heap may become.
     */
    String HEAP = "heap";

    /** The name of the resource. */
    String value();

    /** How many of its permits, from 1. Amounts above 64 are {@linkplain JobTraits#withAmountsRoundedUp rounded up}. */
    int amount() default 1;

    /** Several on one type or method. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD})
    @interface All {
        /** All of them. */
        Uses[] value();
    }
}
