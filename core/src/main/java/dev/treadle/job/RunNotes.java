package dev.treadle.job;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a job reported while it ran.
 *
 * @param at    when it last reported something, by its node's clock
 * @param done  how much is done; null if it was never reported
 * @param total how much there is to do, 0 if that is not known; null if it was never reported
 * @param meta  its metadata, by key
 * @param log   lines, oldest first
 */
public record RunNotes(
        Instant at, @Nullable Long done, @Nullable Long total, Map<String, String> meta, List<LogLine> log) {
    /** Most lines kept of one attempt, in lines. */
    public static final int LOG_LINES_MAX = 1_000;
    /** Most text kept of one attempt, in characters. */
    public static final int LOG_CHARS_MAX = 65_536;
    /** Longest line, and longest value under a key, in characters. */
    public static final int LINE_CHARS_MAX = Failure.MESSAGE_CHARS_MAX;
    /** Most keys of one attempt. */
    public static final int META_KEYS_MAX = 20;
    /** Longest key, in characters. */
    public static final int META_KEY_CHARS_MAX = 100;

    /** Copies what it is given. */
    public RunNotes {
        meta = Map.copyOf(meta);
        log = List.copyOf(log);
    }

    /**
     * One line.
     *
     * @param number which one of its attempt, from 0
     * @param at     when it was said, by the clock of the node
     * @param text   what was said
     */
    public record LogLine(int number, Instant at, String text) {}
}
