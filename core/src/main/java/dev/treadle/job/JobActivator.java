package dev.treadle.job;

/**
 * Supplies the objects on which jobs are called: handlers, and the receivers of lambdas and method references. Must be
 * thread-safe. Called once for each run.
 */
@FunctionalInterface
public interface JobActivator {
    /**
     * Returns an instance of the given class.
     *
     * @throws Exception if there is none; the job is then parked, the attempt does not count, and the history of the
     *                   job has the reason
     */
    <T> T activate(Class<T> type) throws Exception;
}
