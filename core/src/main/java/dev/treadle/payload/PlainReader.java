package dev.treadle.payload;

/**
 * Reads what {@link PlainWriter} writes and no other JSON: no spaces, no other order. For other text it reports that it
 * is not plain, and then the binding is asked. Used by one thread.
 */
final class PlainReader {
    private final String text;
    private int at;

    PlainReader(String text) {
        this.text = text;
    }

    /** Skips this text and returns true, if it comes next. */
    boolean skip(String expected) {
        boolean there = text.startsWith(expected, at);
        if (there) {
            at += expected.length();
        }
        return there;
    }

    void expect(char expected) {
        demand(at < text.length() && text.charAt(at) == expected);
        at++;
    }

    void expectEnd() {
        demand(at == text.length());
    }

    /** An integer as JSON writes it: an optional minus, and no leading zeros. */
    String integer() {
        int begin = at;
        skip("-");
        int digits = at;
        digits();
        demand(at == digits + 1 || text.charAt(digits) != '0');
        return text.substring(begin, at);
    }

    /** A number with a fraction, an exponent or both. */
    String decimal() {
        int begin = at;
        integer();
        int fraction = at;
        if (skip(".")) {
            digits();
        }
        if (skip("E") || skip("e")) {
            if (!skip("-")) {
                skip("+");
            }
            digits();
        }
        demand(at > fraction);
        return text.substring(begin, at);
    }

    private void digits() {
        int begin = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        demand(at > begin);
    }

    String string() {
        expect('"');
        int begin = at;
        int end = at;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\') {
            demand(text.charAt(end++) >= ' ');
        }
        demand(end < text.length());
        at = end;
        return skip("\"") ? text.substring(begin, end) : unescaped(begin);
    }

    private String unescaped(int begin) {
        StringBuilder value = new StringBuilder(text.length() - begin).append(text, begin, at);
        for (char c; (c = next()) != '"'; ) {
            demand(c >= ' ');
            value.append(c == '\\' ? escaped(next()) : c);
        }
        return value.toString();
    }

    private char escaped(char c) {
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'f' -> '\f';
            case 'r' -> '\r';
            case 'u' -> (char) (hex() << 12 | hex() << 8 | hex() << 4 | hex());
            default -> throw notPlain();
        };
    }

    private int hex() {
        char c = next();
        demand(c < 128);
        int digit = Character.digit(c, 16);
        demand(digit >= 0);
        return digit;
    }

    private char next() {
        demand(at < text.length());
        return text.charAt(at++);
    }

    /** The binding decides whether other text is valid, and reports it if not. */
    static void demand(boolean holds) {
        if (!holds) {
            throw notPlain();
        }
    }

    static IllegalArgumentException notPlain() {
        return new IllegalArgumentException("not plain");
    }
}
