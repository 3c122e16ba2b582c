package dev.treadle.invoke;

import dev.treadle.job.JobResult;
import dev.treadle.job.RetryRule;
import dev.treadle.payload.JsonResults;

/**
 * What users may choose about running jobs.
 *
 * @param rule           chooses per exception whether there is another attempt
 * @param interceptors   wrap each run
 * @param results        what is kept of what jobs return
 * @param loggingContext whether a running job's id, type, queue and attempt are in the logging context of its thread
 */
public record RunOptions(RetryRule rule, JobInterceptors interceptors, JsonResults results, boolean loggingContext) {
    /** The job's policy decides, no interceptors, results up to the usual size, with a logging context. */
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
