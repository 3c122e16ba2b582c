package dev.treadle.cdi;

import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the DataSource that keeps the jobs, if it is not the application's default one:
 *
 * <pre>{@code
 * @Produces
 * @TreadleDataSource
 * DataSource jobs(@io.quarkus.agroal.DataSource("jobs") AgroalDataSource pool) {
 *     return pool;
 * }
 * }</pre>
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER})
public @interface TreadleDataSource {}
