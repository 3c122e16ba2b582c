package dev.treadle.payload;

import java.time.temporal.Temporal;
import org.jspecify.annotations.Nullable;

/**
 * A place where the value read back differs from the given one.
 *
 * @param path  the way from the argument or request to the place: {@code order.lines[2].price}; empty for the whole
 * @param given the given value there
 * @param back  the value read back
 * @param cure  how to avoid it
 */
record Difference(String path, String given, String back, String cure) {
    /** Longest value in a message, in characters. */
    private static final int VALUE_CHARS_MAX = 60;

    private static final String KEEP = "Let its class keep what it is given, as a record does; mark a field that need"
            + " not be kept as transient.";

    /** The difference of two values of one class, or of a value and null. */
    static Difference ofValues(@Nullable Object given, @Nullable Object back) {
        String was = shown(given);
        String becomes = shown(back);
        return new Difference("", was, was.equals(becomes) ? "a different one" : becomes, KEEP);
    }

    /** The difference of two values of different classes. */
    static Difference ofClasses(Object given, Object back) {
        String name = name(given.getClass());
        return new Difference(
                "",
                shown(given),
                shown(back),
                "What is read is what the declared type says: declare the place as " + name
                        + ", or give text, an id or a record of plain data.");
    }

    /** The difference of two collections of different sizes. */
    static Difference ofSizes(int given, int back) {
        return new Difference(
                "", "a collection of " + given, "one of " + back, "Two of them are the same once they are text.");
    }

    /** The same difference, seen from the containing object. */
    Difference within(String part) {
        String separator = path.isEmpty() || path.startsWith("[") ? "" : ".";
        return new Difference(part + separator + path, given, back, cure);
    }

    /** The same difference without the values. */
    Difference hidden() {
        return new Difference(path, "a secret", "another value", cure);
    }

    /** The rest of a sentence that begins with "cannot be stored as JSON:", without the cure. */
    String text() {
        return (path.isEmpty() ? "it" : path) + " is " + given + ", but reads back as " + back;
    }

    /** The class of a value, with the value itself for numbers and times. Text and objects may be large or secret. */
    private static String shown(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        String name = "a " + name(value.getClass());
        if (!(value instanceof Number || value instanceof Temporal) || !NeverTargets.isPlatform(value.getClass())) {
            return name;
        }
        String text = value.toString();
        return name + " (" + (text.length() <= VALUE_CHARS_MAX ? text : text.substring(0, VALUE_CHARS_MAX) + "…") + ")";
    }

    private static String name(Class<?> type) {
        return type.getTypeName();
    }
}
