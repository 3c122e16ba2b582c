package dev.treadle.architecture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds words in prose that a native engineer would not write, and says what to write instead. */
final class Prose {
    /** A word or phrase, in any case, and its replacement. A short list: what was found most often in this project. */
    static final Map<String, String> INSTEAD = instead();

    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`]*`", Pattern.DOTALL);
    /** Text blocks, strings, characters, comments: what a Java file holds beside code. Possessive, for long ones. */
    private static final Pattern BESIDE_CODE = Pattern.compile(
            "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\n])*+'|/\\*.*?\\*/|//[^\n]*",
            Pattern.DOTALL);

    private static final Pattern WORDS = Pattern.compile(
            INSTEAD.keySet().stream()
                    .map(phrase -> phrase.replace(" ", "[\\s*/]+"))
                    .collect(Collectors.joining("|", "\\b(?:", ")\\b")),
            Pattern.CASE_INSENSITIVE);

    private Prose() {}

    private static Map<String, String> instead() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("whoever", "the subject: the caller, the node that …, the thread that …");
        words.put("of which", "two sentences, or 'whose'");
        words.put("shall", "'must', 'will', or the present tense");
        words.put("meanwhile", "'in the meantime', 'by then', or the event itself");
        words.put("in vain", "'without success', or what failed");
        words.put("all the same", "'anyway', 'even so', or 'still'");
        words.put("as long as it likes", "'without a limit'");
        words.put("likewise", "'too', or 'in the same way'");
        words.put("aloud", "'with a message', 'in the log'");
        words.put("thereby", "'so', or two sentences");
        words.put("whereby", "'so that', or two sentences");
        return words;
    }

    /** Findings of a Markdown page, code left out. */
    static List<String> inMarkdown(String file, String text) {
        return findings(file, CODE.matcher(text).replaceAll(code -> blank(code.group())));
    }

    /** Findings of a Java file, in comments and literals only. */
    static List<String> inJava(String file, String text) {
        StringBuilder prose = new StringBuilder(blank(text));
        Matcher part = BESIDE_CODE.matcher(text);
        while (part.find()) {
            prose.replace(part.start(), part.end(), part.group());
        }
        return findings(file, prose.toString());
    }

    private static List<String> findings(String file, String prose) {
        List<String> found = new ArrayList<>();
        Matcher word = WORDS.matcher(prose);
        while (word.find()) {
            String said = word.group().toLowerCase(java.util.Locale.ROOT).replaceAll("[\\s*/]+", " ");
            long line = prose.substring(0, word.start()).lines().count();
            boolean atLineStart = word.start() == 0 || prose.charAt(word.start() - 1) == '\n';
            found.add(
                    file + ":" + (atLineStart ? line + 1 : line) + " says '" + said + "'; write " + INSTEAD.get(said));
        }
        return found;
    }

    /** Spaces of the same length, with the same lines. */
    private static String blank(String text) {
        return text.replaceAll("[^\n]", " ");
    }
}
