package dev.treadle.storage.admin;

import dev.treadle.job.HistoryEntry;
import dev.treadle.job.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that match.
 *
 * @param lines in the order of the list
 * @param next  where to continue; null if there are no more. A short page may have more: then as many jobs were looked at
 *              as one call may
 */
public record JobPage(List<Line> lines, @Nullable String next) {
    /** Keeps its own copy of the list. */
    public JobPage {
        lines = List.copyOf(lines);
    }

    /**
     * One job in a list.
     *
     * @param job  with at most {@link JobSearch#ARGUMENT_CHARS_MAX} characters of its arguments
     * @param last the last thing that happened to it, without its stack trace; null if nothing has
     */
    public record Line(Job job, @Nullable HistoryEntry last) {}
}
