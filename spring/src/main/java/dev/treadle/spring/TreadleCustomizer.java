package dev.treadle.spring;

import dev.treadle.Treadle;

/**
 * Sets what no property or bean sets. Each bean of this type is called, in order, before the Treadle of the application is
 * built:
 *
 * <pre>{@code
 * @Bean
 * TreadleCustomizer retries() {
 *     return builder -> builder.retry(TimeoutException.class, RetryPolicy.NEVER);
 * }
 * }</pre>
 */
@FunctionalInterface
public interface TreadleCustomizer {
    /** Sets something. */
    void customize(Treadle.Builder builder);
}
