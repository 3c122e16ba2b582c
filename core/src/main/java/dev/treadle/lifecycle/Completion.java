package dev.treadle.lifecycle;

import dev.treadle.job.Failure;
import dev.treadle.job.JobResult;
import dev.treadle.job.StateName;
import org.jspecify.annotations.Nullable;

/**
 * How a job ended, for callers that wait for it.
 *
 * @param state  Succeeded, Failed or Cancelled
 * @param result what it returned; null if it returned nothing, or has not succeeded
 * @param why    what went wrong, or why it was cancelled; null if nothing was said
 */
public record Completion(
        StateName state,
        @Nullable JobResult result,
        @Nullable Failure why) {}
