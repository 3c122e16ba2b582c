package dev.treadle.invoke;

import dev.treadle.job.JobResult;
import dev.treadle.job.RetryRule;
import dev.treadle.payload.JsonResults;

/**
 * How an application wants its jobs to run.
 *
 * @param rule           chooses per exception whether there is another attempt
 * @param interceptors   wrap each run
 * @param results        writes the results of jobs
 * @param loggingContext whether a running job's id, type, queue and attempt are in the logging context of its thread
 */
public record RunOptions(RetryRule rule, JobInterceptors interceptors, JsonResults results, boolean loggingContext) {
    /**
     * The default: the job's policy decides about retries, there are no interceptors, results have the usual size
     * limit, and there is a logging context.
     */
    public static RunOptions usual() {
        return new RunOptions(
                RetryRules.byPolicy(), JobInterceptors.NONE, new JsonResults(JobResult.RESULT_BYTES_MAX), true);
    }

    /** The same with another rule. */
    public RunOptions withRule(RetryRule rule) {
        return new RunOptions(rule, interceptors, results, loggingContext);
    }

    /** The same with other interceptors. */
    public RunOptions withInterceptors(JobInterceptors interceptors) {
        return new RunOptions(rule, interceptors, results, loggingContext);
    }
}
