package dev.treadle.dashboard.api;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of any kind without the values that stand behind secret names: messages, lines of a log, stack traces, also cut
 * off anywhere. Where the end of a value cannot be found, more is hidden.
 */
final class FreeText {
    private static final String WORD = "[\\p{L}\\p{N}_.$-]";
    /** A name, in quotes or not, and what stands between it and its value. */
    private static final Pattern NAME =
            Pattern.compile("(?:[\"']([^\"'\\\\\\r\\n]{1,200}+)|(?<!" + WORD + ")((?:(?i:api|private|access|card) )?"
                    + WORD + "{1,500}+)(?:\\[\\w{0,50}+\\])?)\\\\*+[\"'`]?\\s*+(?:[:=]{1,2}>?|->)\\s*+");
    /** What fails is named after what it is about, and a message stands behind it. */
    private static final Pattern FAILURE = Pattern.compile("(?:Exception|Error)$");
    /** The last part of a name of several. */
    private static final Pattern LAST = Pattern.compile("(?<=[ .$-])[^ .$-]++$");
    /** Words that stand before a secret and are none. */
    private static final Pattern SCHEME = Pattern.compile("(?i:bearer|basic|digest|token|apikey|negotiate)\\s++");
    /** A comma stands within it, unless something else begins there. */
    private static final Pattern BARE =
            Pattern.compile("(?:[^,}\\])\\s&;]|,(?![\\s\"'\\\\]|$|" + WORD + "+\\s*[:=]))++");

    private static final Pattern LINE = Pattern.compile("[^\\r\\n]++");

    /** Keys in the usual armour, which spans lines. */
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)");
    /** The password in an address. */
    private static final Pattern ADDRESS = Pattern.compile("(://[^\\s/:@]{0,200}+:)[^\\s/@]{1,500}+@");
    /** Users and their passwords as Oracle writes them; what follows is a name and no version. */
    private static final Pattern LOGIN =
            Pattern.compile("(?<![\\w/.@-])(\\w{1,100}/)[^\\s/@\"']{1,500}+@(?=[A-Za-z/])");
    /** An option of a command line, and its value behind a blank. */
    private static final Pattern OPTION = Pattern.compile(
            "(?<!\\S)--?([A-Za-z][\\w-]{0,200}+)\\h++(\"[^\"\\r\\n]*+\"?|'[^'\\r\\n]*+'?|[^\\s-]\\S*+)");
    /** An element of XML with nothing but text in it, which may be cut off. */
    private static final Pattern ELEMENT =
            Pattern.compile("<(?:[\\w.-]{1,100}+:)?([\\w.-]{1,200}+)(?:\\s[^<>]{0,500}+)?>([^<]++)");
    /** Signed tokens, which begin with the JSON of their header, and access keys of AWS. */
    private static final Pattern KNOWN_SHAPE =
            Pattern.compile("\\beyJ[\\w-]{8,}+\\.[\\w-]{4,}+(?:\\.[\\w-]*+)?|\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b");
    /** What follows is no mere word. */
    private static final Pattern BEARER =
            Pattern.compile("\\b((?i:bearer|basic)\\s++)(?![A-Za-z]?[a-z]*+(?![\\w.~+/=-]))[\\w.~+/=-]{8,}+");

    private FreeText() {}

    static String without(String text, Predicate<String> secretName) {
        String hidden = KEY.matcher(text).replaceAll(Redactor.HIDDEN);
        hidden = ADDRESS.matcher(hidden).replaceAll("$1" + Redactor.HIDDEN + "@");
        hidden = BEARER.matcher(hidden).replaceAll("$1" + Redactor.HIDDEN);
        hidden = LOGIN.matcher(hidden).replaceAll("$1" + Redactor.HIDDEN + "@");
        hidden = KNOWN_SHAPE.matcher(hidden).replaceAll(Redactor.HIDDEN);
        hidden = behind(OPTION, hidden, secretName);
        hidden = behind(ELEMENT, hidden, secretName);
        return named(hidden, secretName);
    }

    /** The same without what a pattern finds as second group, where the first one is a secret name. */
    private static String behind(Pattern pattern, String text, Predicate<String> secretName) {
        Matcher found = pattern.matcher(text);
        StringBuilder shown = null;
        int seen = 0;
        while (found.find()) {
            if (isSecret(found.group(1), secretName)) {
                shown = shown == null ? new StringBuilder(text.length()) : shown;
                shown.append(text, seen, found.start(2)).append(Redactor.HIDDEN);
                seen = found.end(2);
            }
        }
        return shown == null ? text : shown.append(text, seen, text.length()).toString();
    }

    private static String named(String text, Predicate<String> secretName) {
        Matcher name = NAME.matcher(text);
        StringBuilder shown = null;
        int seen = 0;
        for (int from = 0; from <= text.length() && name.find(from); ) {
            boolean quoted = name.group(1) != null;
            String word = quoted ? name.group(1) : name.group(2);
            // why on from within it: what looked like a name in quotes may hold one
            from = quoted ? name.start() + 1 : name.end(2);
            if (isSecret(word, secretName) && (quoted || !FAILURE.matcher(word).find())) {
                int end = afterValue(text, name.end(), word);
                if (end > name.end()) {
                    shown = shown == null ? new StringBuilder(text.length()) : shown;
                    shown.append(text, seen, name.end()).append(Redactor.HIDDEN);
                    seen = end;
                    from = end;
                }
            }
        }
        return shown == null ? text : shown.append(text, seen, text.length()).toString();
    }

    private static boolean isSecret(String word, Predicate<String> secretName) {
        Matcher last = LAST.matcher(word);
        return secretName.test(word) || last.find() && secretName.test(last.group());
    }

    private static int afterValue(String text, int begin, String name) {
        int quote = begin;
        while (quote < text.length() && text.charAt(quote) == '\\') {
            quote++;
        }
        if (quote < text.length() && "\"'`".indexOf(text.charAt(quote)) >= 0) {
            return afterQuoted(text, quote, quote - begin);
        }
        if (begin < text.length() && "{[(".indexOf(text.charAt(begin)) >= 0) {
            return afterBracket(text, begin);
        }
        boolean isHeader = name.toLowerCase(Locale.ROOT).contains("authorization");
        if (isHeader && !text.startsWith(Redactor.HIDDEN, begin)) {
            return after(LINE, text, begin);
        }
        int scheme = after(SCHEME, text, begin);
        return Math.max(scheme, after(BARE, text, scheme));
    }

    private static int after(Pattern pattern, String text, int begin) {
        Matcher found = pattern.matcher(text).region(begin, text.length());
        return found.lookingAt() ? found.end() : begin;
    }

    /** @param escapes how many backslashes stand before the opening quote: with more, one stands within the value */
    private static int afterQuoted(String text, int open, int escapes) {
        char quote = text.charAt(open);
        int backslashes = 0;
        for (int i = open + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote && (escapes == 0 ? backslashes % 2 == 0 : backslashes <= escapes)) {
                return i + 1;
            }
            backslashes = c == '\\' ? backslashes + 1 : 0;
        }
        return text.length();
    }

    /** Behind the bracket that closes this one; the end of the text if none does. */
    private static int afterBracket(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                i = afterQuoted(text, i, 0) - 1;
            } else if ("{[(".indexOf(c) >= 0) {
                depth++;
            } else if ("}])".indexOf(c) >= 0 && --depth == 0) {
                return i + 1;
            }
        }
        return text.length();
    }
}
