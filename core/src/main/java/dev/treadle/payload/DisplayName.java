package dev.treadle.payload;

import dev.treadle.job.Failure;
import dev.treadle.job.Invocation;
import dev.treadle.job.JobTraits;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills arguments into a job's display name when it is enqueued: <code>{0}</code> is the first argument of a call,
 * <code>{employee}</code> a component of a request. A placeholder without a value is left as it is. Arguments that the
 * code of the job marks as secret are left out; if this process lacks that code, all are. Thread-safe.
 */
public final class DisplayName {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{(\\w{1,100})}");
    /** Longest argument in a name, in characters. */
    private static final int ARGUMENT_CHARS_MAX = 100;

    /** How many inspected targets are cached; the cache is emptied when it is full. */
    private static final int TARGETS_MAX = 2_000;

    private final Function<String, ClassLoader> code;
    private final TypeNames types;
    private final Map<String, Optional<SecretMarks>> targets = new ConcurrentHashMap<>();

    /** @param code finds the code of a type by its binary name */
    public DisplayName(Function<String, ClassLoader> code) {
        this(code, TypeNames.none());
    }

    /**
     * The same with names.
     *
     * @param types under which jobs are stored
     */
    public DisplayName(Function<String, ClassLoader> code, TypeNames types) {
        this.code = code;
        this.types = types;
    }

    /** The traits with the name filled in. */
    public JobTraits filledIn(JobTraits traits, Invocation invocation) {
        String name = traits.name();
        if (name == null || name.indexOf('{') < 0) {
            return traits;
        }
        Optional<SecretMarks> marks = marks(invocation);
        Set<String> hidden = marks.map(SecretMarks::names).orElse(Set.of());
        Map<String, String> arguments = JsonParts.of(invocation.arguments(), hidden, SecretMarks.HIDDEN);
        String filled = PLACEHOLDER
                .matcher(name)
                .replaceAll(found -> Matcher.quoteReplacement(
                        text(arguments.get(found.group(1)), marks, found.group(1), found.group())));
        return traits.withName(bounded(filled));
    }

    private Optional<SecretMarks> marks(Invocation invocation) {
        Optional<SecretMarks> known = targets.get(invocation.target());
        if (known == null) {
            if (targets.size() >= TARGETS_MAX) {
                targets.clear();
            }
            known = looked(invocation);
            targets.put(invocation.target(), known);
        }
        return known;
    }

    /** Empty if this process lacks the code. */
    private Optional<SecretMarks> looked(Invocation invocation) {
        Invocation here = types.here(invocation);
        try {
            Class<?> called = Class.forName(here.type(), false, code.apply(here.type()));
            return Optional.of(SecretMarks.of(called, here.method()));
        } catch (ClassNotFoundException | LinkageError e) {
            return Optional.empty();
        }
    }

    private static String text(@Nullable String value, Optional<SecretMarks> marks, String key, String otherwise) {
        if (value == null) {
            return otherwise;
        }
        if (marks.isEmpty() || isMarked(marks.get(), key)) {
            return SecretMarks.HIDDEN;
        }
        String text = JsonParts.text(value);
        return text.length() <= ARGUMENT_CHARS_MAX ? text : text.substring(0, ARGUMENT_CHARS_MAX) + "…";
    }

    /** No component of a request has a number as its name, so one lookup serves positions and names. */
    private static boolean isMarked(SecretMarks marks, String key) {
        return marks.names().contains(key)
                || key.matches("\\d{1,3}") && marks.positions().contains(Integer.valueOf(key));
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
