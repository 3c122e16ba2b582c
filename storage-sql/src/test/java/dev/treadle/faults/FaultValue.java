package dev.treadle.faults;

import dev.treadle.job.JobRequest;

/**
 * A short job that returns something, so that its ending is another kind than that of {@link FaultWork}.
 *
 * @param n its number
 */
public record FaultValue(int n) implements JobRequest<String> {}
