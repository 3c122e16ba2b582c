package dev.treadle.payload;

import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Puts arguments into a job's name where it is enqueued: <code>{0}</code> is the first argument of a call,
 * <code>{employee}</code> a component of a request. What is not there is left as it stands. Thread-safe.
 */
public final class DisplayName {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w{1,100})}");
    /** Longest argument in a name, in characters. */
    private static final int ARGUMENT_CHARS_MAX = 100;

    /** Traits whose name is filled in. */
    public JobTraits filledIn(JobTraits traits, Invocation invocation) {
        String name = traits.name();
        if (name == null || name.indexOf('{') < 0) {
            return traits;
        }
        JsonNode arguments = Mapper.shared().readTree(invocation.arguments());
        String filled = PLACEHOLDER
                .matcher(name)
                .replaceAll(found -> Matcher.quoteReplacement(text(arguments, found.group(1), found.group())));
        return traits.withName(bounded(filled));
    }

    private static String text(JsonNode arguments, String key, String otherwise) {
        JsonNode value = arguments.isArray() ? element(arguments, key) : arguments.get(key);
        if (value == null) {
            return otherwise;
        }
        String text = value.isString() ? value.stringValue() : value.toString();
        return text.length() <= ARGUMENT_CHARS_MAX ? text : text.substring(0, ARGUMENT_CHARS_MAX) + "…";
    }

    private static @Nullable JsonNode element(JsonNode arguments, String key) {
        return key.matches("\\d{1,3}") ? arguments.get(Integer.parseInt(key)) : null;
    }

    private static String bounded(String name) {
        String storable = Failure.because("", name).message();
        String cut = storable.length() <= JobTraits.NAME_LENGTH_MAX
                ? storable
                : Failure.because("", storable.substring(0, JobTraits.NAME_LENGTH_MAX - 1))
                                .message() + "…";
        return cut.isBlank() ? "(blank)" : cut;
    }
}
