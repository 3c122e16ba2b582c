package dev.treadle.job;

/**
 * Supplies the objects on which jobs are called: handlers, and the receivers of lambdas and method references. Must be
 * thread-safe; asked once for each run.
 */
@FunctionalInterface
public interface JobActivator {
    /**
     * An instance of the given class.
     *
     * @throws Exception if there is none: the job is then parked, without burning an attempt, and its story says why
     */
    <T> T activate(Class<T> type) throws Exception;
}
