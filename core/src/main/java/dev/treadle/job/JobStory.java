package dev.treadle.job;

import java.util.List;

/**
 * A job and everything that has happened to it.
 *
 * @param job     where it stands now
 * @param history oldest first
 */
public record JobStory(Job job, List<HistoryEntry> history) {
    /** Copies the history. */
    public JobStory {
        history = List.copyOf(history);
    }
}
