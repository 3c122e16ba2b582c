package dev.treadle.dashboard.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.core.json.JsonFactory;

/**
 * The secret values of one job's arguments, which are masked in every text of the job: as they are, in any case, and as
 * JSON and addresses write them. Immutable.
 */
final class OwnSecrets {
    /** Shortest value that is masked, in characters: shorter ones occur in too many unrelated words. */
    static final int CHARS_MIN = 4;
    /** Most values of one job. */
    static final int VALUES_MAX = 200;
    /** Nothing is masked. */
    static final OwnSecrets NONE = new OwnSecrets(List.of(), null);
    /** All is masked: of a job that is gone, it is not known what was secret. */
    static final OwnSecrets EVERYTHING = new OwnSecrets(List.of(), Pattern.compile("(?s).+"));

    private static final JsonFactory JSON = new JsonFactory();
    /** What stands where a long text was shortened, as failures and log lines write it. */
    private static final String CUT = " … (cut)";

    private final List<String> values;
    private final @Nullable Pattern pattern;

    private OwnSecrets(List<String> values, @Nullable Pattern pattern) {
        this.values = values;
        this.pattern = pattern;
    }

    private static OwnSecrets of(Set<String> found) {
        // why the longest first: one may be part of another
        List<String> values = found.stream()
                .flatMap(OwnSecrets::written)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String any = values.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return new OwnSecrets(values, Pattern.compile(any, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE));
    }

    private static Stream<String> written(String value) {
        String json = new String(JsonStringEncoder.getInstance().quoteAsCharArray(value));
        return Stream.of(value, json, URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    /**
     * Looks for them.
     *
     * @param arguments       as JSON; where they are cut off, what stands before that is looked at
     * @param secretName      of fields, at any depth
     * @param secretPositions in the outermost array
     */
    static OwnSecrets in(String arguments, Predicate<String> secretName, Set<Integer> secretPositions) {
        Set<String> found = new LinkedHashSet<>();
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), arguments)) {
            collect(in, secretName, secretPositions, found);
        } catch (JacksonException e) {
            // why nothing more: what cannot be read has no values
        }
        return found.isEmpty() ? NONE : of(found);
    }

    private static void collect(
            JsonParser in, Predicate<String> secretName, Set<Integer> secretPositions, Set<String> found) {
        int depth = 0;
        int secretFrom = Integer.MAX_VALUE;
        int position = 0;
        boolean named = false;
        boolean array = false;
        for (JsonToken token; (token = in.nextToken()) != null && found.size() < VALUES_MAX; ) {
            if (token == JsonToken.PROPERTY_NAME) {
                named = secretName.test(in.currentName());
                continue;
            }
            if (token.isStructEnd()) {
                depth--;
                secretFrom = depth < secretFrom ? Integer.MAX_VALUE : secretFrom;
                continue;
            }
            boolean placed = depth == 1 && array && secretPositions.contains(position++);
            boolean secret = depth >= secretFrom || named || placed;
            named = false;
            if (token.isStructStart()) {
                array = depth == 0 ? token == JsonToken.START_ARRAY : array;
                depth++;
                secretFrom = secret ? Math.min(secretFrom, depth) : secretFrom;
            } else if (secret && (token == JsonToken.VALUE_STRING || token.isNumeric())) {
                String value = in.getString().strip();
                if (value.length() >= CHARS_MIN) {
                    found.add(value);
                }
            }
        }
    }

    /** The text without them, also where it was shortened within one. */
    String without(String text) {
        if (pattern == null) {
            return text;
        }
        Matcher matcher = pattern.matcher(text);
        String masked = matcher.find() ? matcher.replaceAll(Redactor.HIDDEN) : text;
        int cut = masked.indexOf(CUT);
        return cut < 0 ? masked : withoutPieces(masked.substring(0, cut), masked.substring(cut + CUT.length()));
    }

    /** The beginning of a value may stand before the place where a text was shortened, and the end of one behind it. */
    private String withoutPieces(String head, String tail) {
        int before = 0;
        int behind = 0;
        for (String value : values) {
            for (int chars = Math.min(value.length() - 1, head.length());
                    chars > before && chars >= CHARS_MIN;
                    chars--) {
                if (head.regionMatches(true, head.length() - chars, value, 0, chars)) {
                    before = chars;
                }
            }
            for (int chars = Math.min(value.length() - 1, tail.length());
                    chars > behind && chars >= CHARS_MIN;
                    chars--) {
                if (tail.regionMatches(true, 0, value, value.length() - chars, chars)) {
                    behind = chars;
                }
            }
        }
        return (before == 0 ? head : head.substring(0, head.length() - before) + Redactor.HIDDEN)
                + CUT
                + (behind == 0 ? tail : Redactor.HIDDEN + tail.substring(behind));
    }
}
