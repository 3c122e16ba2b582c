package dev.treadle.payload;

import tools.jackson.core.JacksonException;

/** What an exception of Jackson or of an accessor says, in one bounded line. */
final class Reason {
    /** Longest text taken over from another library, in characters. */
    private static final int REASON_CHARS_MAX = 400;

    private Reason() {}

    static String of(RuntimeException e) {
        String said = e instanceof JacksonException j ? j.getOriginalMessage() + at(j) : e.getMessage();
        String line = (said == null ? e.getClass().getName() : said).replaceAll("\\s+", " ");
        return line.length() <= REASON_CHARS_MAX ? line : line.substring(0, REASON_CHARS_MAX) + " … (cut)";
    }

    private static String at(JacksonException e) {
        return e.getPath().isEmpty() ? "" : " (at " + e.getPathReference() + ")";
    }
}
