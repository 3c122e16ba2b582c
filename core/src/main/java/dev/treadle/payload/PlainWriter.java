package dev.treadle.payload;

import org.jspecify.annotations.Nullable;

/** Writes the few kinds of JSON that {@link PlainCodec} knows, exactly as the binding does. Used by one thread. */
final class PlainWriter {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private final StringBuilder text = new StringBuilder(256);
    /** Whether the next value follows another one and needs a comma. */
    private boolean separate;

    void begin(char bracket) {
        next();
        text.append(bracket);
        separate = false;
    }

    void end(char bracket) {
        text.append(bracket);
        separate = true;
    }

    void name(String name) {
        string(name);
        text.append(':');
        separate = false;
    }

    /** Writes a number, a boolean or null. */
    void literal(@Nullable Object value) {
        next();
        text.append(value);
    }

    void string(String value) {
        next();
        text.append('"');
        int written = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                text.append(value, written, i);
                escape(c);
                written = i + 1;
            }
        }
        text.append(value, written, value.length()).append('"');
    }

    private void escape(char c) {
        text.append('\\');
        switch (c) {
            case '"', '\\' -> text.append(c);
            case '\b' -> text.append('b');
            case '\t' -> text.append('t');
            case '\n' -> text.append('n');
            case '\f' -> text.append('f');
            case '\r' -> text.append('r');
            default -> text.append("u00").append(HEX[c >> 4]).append(HEX[c & 15]);
        }
    }

    private void next() {
        if (separate) {
            text.append(',');
        }
        separate = true;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
