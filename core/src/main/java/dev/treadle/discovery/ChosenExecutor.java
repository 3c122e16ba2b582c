package dev.treadle.discovery;

import dev.treadle.executor.JobRunrExecutor;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The executor that will lend the threads, and how that came about.
 *
 * @param executor   not started yet
 * @param candidates all that were looked at, the chosen one first
 */
public record ChosenExecutor(JobRunrExecutor executor, List<Candidate> candidates) {
    /** Keeps its own copy of the list. */
    public ChosenExecutor {
        candidates = List.copyOf(candidates);
    }

    /** What was chosen, found and skipped, and why, as one line for the log. */
    public String summary() {
        return candidates.stream().map(Candidate::toString).collect(Collectors.joining("; ", "Executor: ", ""));
    }

    @Override
    public String toString() {
        return summary();
    }
}
