package dev.treadle.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, as bounded text. It never becomes an exception again.
 *
 * @param type    class name of what was thrown, or a short word for a failure that is not an exception
 * @param message its message, at most {@value #MESSAGE_CHARS_MAX} characters
 * @param trace   its stack trace, at most {@value #TRACE_CHARS_MAX} characters; empty if there is none
 */
public record Failure(String type, String message, String trace) {
    /** Longest type name kept, in characters. */
    public static final int TYPE_CHARS_MAX = 256;
    /** Longest message kept, in characters. */
    public static final int MESSAGE_CHARS_MAX = 1_000;
    /** Longest stack trace kept, in characters. */
    public static final int TRACE_CHARS_MAX = 8_000;

    /** Of a longer stack trace, this many of the kept characters are the last ones, which show the first cause. */
    private static final int TRACE_TAIL_CHARS = 2_000;

    /** The same pattern is in the SQL storages (migration V001 of PostgreSQL, H2Syntax): change none alone. */
    private static final Pattern FIRST_FRAME = Pattern.compile("\n\tat (?!java\\.|javax\\.|jdk\\.|sun\\.)([^(\n]+)");

    private static final String CUT = " … (cut)";

    /** Bounds all three texts and replaces what no database stores: NUL and halves of surrogate pairs. */
    public Failure {
        type = bounded(type, TYPE_CHARS_MAX, 0);
        message = bounded(message, MESSAGE_CHARS_MAX, 0);
        trace = bounded(trace, TRACE_CHARS_MAX, TRACE_TAIL_CHARS);
    }

    /**
     * Describes a thrown exception. Survives exceptions whose own methods throw, even checked exceptions, which other
     * JVM languages throw undeclared.
     */
    public static Failure of(Throwable thrown) {
        return new Failure(thrown.getClass().getName(), messageOf(thrown), traceOf(thrown));
    }

    /** A failure that is not an exception. */
    public static Failure because(String type, String message) {
        return new Failure(type, message, "");
    }

    /**
     * What was thrown and where, equal for failures with the same cause: the type and, after {@code " at "}, the first
     * frame of the trace outside the JDK. The type alone if there is no such frame; null if there is no type.
     */
    public @Nullable String cause() {
        if (type.isEmpty()) {
            return null;
        }
        Matcher frame = FIRST_FRAME.matcher(trace);
        return frame.find() ? type + " at " + frame.group(1) : type;
    }

    private static String messageOf(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null ? "" : message;
        } catch (Throwable e) {
            return "(its getMessage threw " + e.getClass().getName() + ")";
        }
    }

    private static String traceOf(Throwable thrown) {
        try {
            StringWriter text = new StringWriter();
            thrown.printStackTrace(new PrintWriter(text));
            return text.toString();
        } catch (Throwable e) {
            return "(its printStackTrace threw " + e.getClass().getName() + ")";
        }
    }

    private static String bounded(String text, int charsMax, int tailChars) {
        String kept = text;
        if (text.length() > charsMax) {
            String head = text.substring(0, charsMax - CUT.length() - tailChars);
            kept = head + CUT + text.substring(text.length() - tailChars);
        }
        return isStorable(kept) ? kept : storable(kept);
    }

    private static boolean isStorable(String text) {
        return text.chars().noneMatch(c -> c == 0 || Character.isSurrogate((char) c));
    }

    private static String storable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? '\uFFFD' : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }
}
