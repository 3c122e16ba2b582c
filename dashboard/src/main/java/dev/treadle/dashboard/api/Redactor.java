package dev.treadle.dashboard.api;

import dev.treadle.job.SecretMarks;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out of arguments and messages what is secret: what looks so by its name, what was named to the dashboard, and
 * what the code of a job marks. Thread-safe.
 */
final class Redactor {
    /** What stands in the place of a secret. */
    static final String HIDDEN = SecretMarks.HIDDEN;

    private static final Pattern SECRET = Pattern.compile(
            "pass(word|wd|phrase|code)|secret|token|api[ _-]?key|(private|access)[ _-]?key|authorization|credential|iban|cvv|cvc"
                    + "|card[ _-]?number|pin$|ssn",
            Pattern.CASE_INSENSITIVE);
    /** Jobs whose code was looked at that are remembered; a program with more starts to remember anew. */
    private static final int TARGETS_MAX = 2_000;

    private final @Nullable Pattern more;
    private final SecretMarks marks;
    private final ClassLoader loader;
    private final Map<String, Redactor> targets;

    /**
     * @param more   further patterns of names, found anywhere in a name
     * @param loader where the code of jobs may be
     */
    Redactor(Collection<String> more, ClassLoader loader) {
        this.loader = loader;
        this.marks = SecretMarks.NONE;
        this.targets = new ConcurrentHashMap<>();
        this.more = more.isEmpty() ? null : Pattern.compile(String.join("|", more), Pattern.CASE_INSENSITIVE);
    }

    private Redactor(Redactor all, SecretMarks marks) {
        this.loader = all.loader;
        this.targets = all.targets;
        this.more = all.more;
        this.marks = marks;
    }

    /** The same for what belongs to one job, with what its code marks. */
    Redactor of(String type, @Nullable String method) {
        String target = type + "#" + method;
        Redactor known = targets.get(target);
        if (known == null) {
            if (targets.size() >= TARGETS_MAX) {
                targets.clear();
            }
            SecretMarks found = marks(type, method);
            known = found == SecretMarks.NONE ? this : new Redactor(this, found);
            targets.put(target, known);
        }
        return known;
    }

    private SecretMarks marks(String type, @Nullable String method) {
        try {
            return SecretMarks.of(Class.forName(type, false, loader), method);
        } catch (ClassNotFoundException | LinkageError e) {
            return SecretMarks.NONE;
        }
    }

    /** The same for a {@linkplain dev.treadle.job.Invocation#target target}. */
    Redactor of(String target) {
        int hash = target.indexOf('#');
        return hash < 0 ? of(target, null) : of(target.substring(0, hash), target.substring(hash + 1));
    }

    /** Arguments as JSON, which may be cut off anywhere. */
    String arguments(String arguments) {
        return Excerpt.of(arguments, this::isSecret, marks.positions(), this::text);
    }

    /** What a job returned, as JSON. */
    String result(String result) {
        return Excerpt.of(result, this::isSecret, Set.of(), this::text);
    }

    /** The value of a name. */
    String value(String name, String value) {
        return isSecret(name) ? HIDDEN : text(value);
    }

    /** Any text, also one that was cut off. */
    String text(String text) {
        return FreeText.without(text, this::isSecret);
    }

    private boolean isSecret(String name) {
        return SECRET.matcher(name).find()
                || more != null && more.matcher(name).find()
                || marks.names().contains(name);
    }
}
