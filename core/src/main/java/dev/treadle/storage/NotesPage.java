package dev.treadle.storage;

import dev.treadle.job.RunNotes;
import dev.treadle.job.RunNotes.LogLine;
import java.util.List;

/**
 * What a job told, with some of its lines.
 *
 * @param last  what the last run that told anything told, without lines
 * @param lines oldest first
 * @param more  whether there are further ones: before these if the last ones were asked for, else behind them
 */
public record NotesPage(RunNotes last, List<Said> lines, boolean more) {
    /** Keeps its own copy of the list. */
    public NotesPage {
        lines = List.copyOf(lines);
    }

    /** The same without the places of the lines. */
    public RunNotes toNotes() {
        return new RunNotes(
                last.at(),
                last.done(),
                last.total(),
                last.meta(),
                lines.stream().map(Said::line).toList());
    }

    /** A line and its place. */
    public record Said(Place place, LogLine line) {}

    /**
     * Where a line stands among all lines of its job.
     *
     * @param token of the run that said it
     * @param line  its number in that run
     */
    public record Place(long token, int line) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int runs = Long.compare(token, other.token);
            return runs != 0 ? runs : Integer.compare(line, other.line);
        }
    }
}
