package dev.treadle.example.slip;

/** Escapes what people typed, so that it stays text inside an XML document. */
final class XmlText {

    private static final char NOT_ALLOWED_IN_XML = ' ';

    private XmlText() {}

    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        append(text, out);
        return out.toString();
    }

    /** Appends the text; characters that XML 1.0 cannot hold at all become a space. */
    static void append(String text, StringBuilder out) {
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(isAllowed(c) ? c : NOT_ALLOWED_IN_XML);
            }
        });
    }

    private static boolean isAllowed(int c) {
        return c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 || c == '\t' || c == '\n';
    }
}
