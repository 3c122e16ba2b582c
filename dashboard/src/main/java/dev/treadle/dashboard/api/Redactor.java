package dev.treadle.dashboard.api;

import dev.treadle.dashboard.web.Json;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Leaves out of arguments and messages what looks like a secret by its name. */
final class Redactor {
    /** What stands in the place of a secret. */
    static final String HIDDEN = "•••";

    private static final Pattern SECRET = Pattern.compile(
            "pass(word|wd|phrase|code)|secret|token|api[_-]?key|private[_-]?key|authorization|credential|iban|cvv|cvc"
                    + "|card[_-]?number|pin$|ssn",
            Pattern.CASE_INSENSITIVE);
    /** A name and its value in text that may be cut off anywhere. */
    private static final Pattern IN_TEXT = Pattern.compile(
            "(\"?(?:[A-Za-z0-9_-]*(?:" + SECRET.pattern().replace("pin$", "\\bpin")
                    + ")[A-Za-z0-9_-]*)\"?\\s*[:=]\\s*)(\"(?:[^\"\\\\]|\\\\.)*+\"?|[^,}\\]\\s&;]+)",
            Pattern.CASE_INSENSITIVE);

    private final Json json;
    private final Pattern more;

    /** @param more further patterns of names, found anywhere in a name */
    Redactor(Json json, Collection<String> more) {
        this.json = json;
        this.more = more.isEmpty()
                ? Pattern.compile("(?!)")
                : Pattern.compile(String.join("|", more), Pattern.CASE_INSENSITIVE);
    }

    /** Arguments as JSON, whole. */
    String arguments(String arguments) {
        try {
            JsonNode tree = json.tree(arguments);
            return hide(tree) ? tree.toString() : arguments;
        } catch (JacksonException e) {
            return text(arguments);
        }
    }

    /** The value of a name. */
    String value(String name, String value) {
        return SECRET.matcher(name).find() || more.matcher(name).find() ? HIDDEN : text(value);
    }

    /** Any text, also one that was cut off. */
    String text(String text) {
        Matcher found = IN_TEXT.matcher(text);
        String hidden = found.replaceAll("$1" + HIDDEN);
        return more.pattern().equals("(?!)")
                ? hidden
                : Pattern.compile(
                                "(\"[^\"]*(?:" + more.pattern()
                                        + ")[^\"]*\"\\s*:\\s*)(\"(?:[^\"\\\\]|\\\\.)*+\"?|[^,}\\]]+)",
                                Pattern.CASE_INSENSITIVE)
                        .matcher(hidden)
                        .replaceAll("$1" + HIDDEN);
    }

    private boolean hide(JsonNode node) {
        boolean changed = false;
        if (node instanceof ObjectNode object) {
            for (String name : object.propertyNames().stream().toList()) {
                if (SECRET.matcher(name).find() || more.matcher(name).find()) {
                    object.put(name, HIDDEN);
                    changed = true;
                } else {
                    changed |= hide(object.get(name));
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (JsonNode one : array) {
                changed |= hide(one);
            }
        }
        return changed;
    }
}
