package dev.treadle.dashboard.api;

import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON without its secrets, wherever it was cut off: read piece by piece until it ends. All else stays to the letter.
 * For one text and one thread.
 */
final class Excerpt {
    private static final JsonFactory JSON = new JsonFactory();
    /** Stands where the text was cut off, or is no JSON any more. */
    private static final String CUT = "…";
    /** Longest piece of an escaped character, which a cut may have left. */
    private static final int ESCAPED_CHARS_MAX = 6;

    private final String json;
    private final Predicate<String> secretName;
    private final Set<Integer> secretPositions;
    private final UnaryOperator<String> said;
    private final StringBuilder shown;
    /** What stands before it has been looked at, and is shown or hidden. */
    private int seen;

    private Excerpt(
            String json, Predicate<String> secretName, Set<Integer> secretPositions, UnaryOperator<String> said) {
        this.json = json;
        this.secretName = secretName;
        this.secretPositions = secretPositions;
        this.said = said;
        this.shown = new StringBuilder(json.length());
    }

    /**
     * What may be seen of it.
     *
     * @param secretName      of fields, at any depth
     * @param secretPositions in the outermost array
     * @param said            what may be seen of a string, a name or a number
     */
    static String of(
            String json, Predicate<String> secretName, Set<Integer> secretPositions, UnaryOperator<String> said) {
        return new Excerpt(json, secretName, secretPositions, said).read();
    }

    private String read() {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), json)) {
            copy(in);
            return shown.append(json, seen, json.length()).toString();
        } catch (UnexpectedEndOfInputException e) {
            showRest();
        } catch (JacksonException e) {
            // why nothing more: what cannot be read cannot be searched for secrets
        }
        return shown.append(CUT).toString();
    }

    private void copy(JsonParser in) {
        int depth = 0;
        int position = 0;
        boolean array = false;
        boolean secret = false;
        for (JsonToken token; (token = in.nextToken()) != null; ) {
            int begin = (int) in.currentTokenLocation().getCharOffset();
            shown.append(json, seen, begin);
            seen = begin;
            if (depth == 1 && array && isValue(token)) {
                secret = secretPositions.contains(position++);
            }
            array = depth == 0 ? token == JsonToken.START_ARRAY : array;
            if (token == JsonToken.PROPERTY_NAME) {
                show(in.currentName(), begin);
                secret = secretName.test(in.currentName());
                continue;
            }
            if (secret) {
                hide(in, token, begin);
            } else if (token == JsonToken.VALUE_STRING) {
                show(in.getString(), begin);
            } else if (token.isNumeric()) {
                String number = in.getString();
                String visible = said.apply(number);
                if (!visible.equals(number)) {
                    shown.append('"').append(visible).append('"');
                    seen = afterWord(begin);
                }
            } else {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
            secret = false;
        }
    }

    private void hide(JsonParser in, JsonToken token, int begin) {
        shown.append('"').append(Redactor.HIDDEN).append('"');
        // why before it is read: it may be cut off
        seen = json.length();
        in.skipChildren();
        in.finishToken();
        seen = token.isStructStart()
                ? (int) in.currentLocation().getCharOffset()
                : token == JsonToken.VALUE_STRING ? afterString(begin) : afterWord(begin);
    }

    private void show(String text, int begin) {
        int end = afterString(begin);
        String visible = said.apply(text);
        if (visible.equals(text)) {
            show(begin, end);
        } else {
            shown.append('"').append(JsonStringEncoder.getInstance().quoteAsCharArray(visible));
            shown.append('"');
            seen = end;
        }
    }

    private void show(int begin, int end) {
        shown.append(json, begin, end);
        seen = end;
    }

    /** What came before the cut: at most one name or string was begun. */
    private void showRest() {
        int quote = json.indexOf('"', seen);
        int end = quote < 0 ? -1 : afterString(quote);
        if (quote < 0) {
            shown.append(json, seen, json.length());
        } else if (end >= 0) {
            // a name, and its value was cut off
            shown.append(json, seen, end);
        } else {
            String raw = json.substring(quote + 1);
            String text = meant(raw);
            String visible = said.apply(text);
            shown.append(json, seen, quote + 1)
                    .append(
                            visible.equals(text)
                                    ? raw
                                    : new String(JsonStringEncoder.getInstance().quoteAsCharArray(visible)));
        }
    }

    /** The beginning of a string, which may end within an escaped character. */
    private static String meant(String raw) {
        for (int less = 0; less <= Math.min(ESCAPED_CHARS_MAX, raw.length()); less++) {
            String text = '"' + raw.substring(0, raw.length() - less) + '"';
            try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), text)) {
                if (in.nextToken() == JsonToken.VALUE_STRING) {
                    String meant = in.getString();
                    if (in.nextToken() == null) {
                        return meant;
                    }
                }
            } catch (JacksonException e) {
                // the cut was within an escaped character: without it
            }
        }
        return raw;
    }

    /** Where the string ends that begins here; -1 if it does not. */
    private int afterString(int begin) {
        for (int i = begin + 1; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                return i + 1;
            }
        }
        return -1;
    }

    private int afterWord(int begin) {
        int end = begin;
        while (end < json.length() && ",]} \t\r\n".indexOf(json.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static boolean isValue(JsonToken token) {
        return token.isScalarValue() || token.isStructStart();
    }
}
