package dev.treadle.dashboard.live;

import org.jspecify.annotations.Nullable;

/**
 * Whether all is well, in one sentence.
 *
 * @param level    how bad it is
 * @param sentence what is the case, with cause and number
 * @param link     the page that shows more, such as {@code /failures}; null if there is none
 */
public record Verdict(
        Level level, String sentence, @Nullable String link) {
    /** From worst to best. */
    public enum Level {
        /** No job can run. */
        DOWN,
        /** Jobs run, and something is wrong. */
        DEGRADED,
        /** There is nothing to do. */
        IDLE,
        /** Jobs run as they should. */
        HEALTHY
    }
}
