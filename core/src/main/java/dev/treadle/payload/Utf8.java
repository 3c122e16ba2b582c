package dev.treadle.payload;

/** Prepares JSON text for databases that store it as UTF-8. */
final class Utf8 {
    private Utf8() {}

    /** The size in bytes, if the text has no lone surrogates. */
    static int length(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // why one for a surrogate: the two of a pair take four bytes together
                bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return bytes;
    }

    /**
     * The same JSON with lone surrogates written as escapes. Text that was cut inside an emoji has them; they occur
     * only in JSON strings, and databases refuse them.
     */
    static String withoutLoneSurrogates(String json) {
        if (json.codePoints().noneMatch(Utf8::isLone)) {
            return json;
        }
        StringBuilder escaped = new StringBuilder(json.length() + 16);
        json.codePoints().forEach(c -> {
            if (isLone(c)) {
                escaped.append("\\u").append(Integer.toHexString(c));
            } else {
                escaped.appendCodePoint(c);
            }
        });
        return escaped.toString();
    }

    private static boolean isLone(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
