package dev.treadle.dashboard.api;

import dev.treadle.job.Invocation;
import dev.treadle.payload.SecretMarks;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Leaves secrets out of arguments and messages: what looks so by its name, what was named to the dashboard, and what
 * the code of a job marks. Thread-safe.
 */
final class Redactor {
    /** What is shown instead of a secret. */
    static final String HIDDEN = SecretMarks.HIDDEN;

    /** Jobs whose code was looked at that are remembered; a program with more starts to remember anew. */
    private static final int TARGETS_MAX = 2_000;

    private final @Nullable Pattern more;
    private final SecretMarks marks;
    private final OwnSecrets own;
    private final ClassLoader loader;
    private final UnaryOperator<Invocation> names;
    private final Map<String, Redactor> targets;

    /**
     * @param more   further patterns of names, found anywhere in a name
     * @param loader where the code of jobs may be
     */
    Redactor(Collection<String> more, ClassLoader loader) {
        this(more, loader, UnaryOperator.identity());
    }

    /**
     * The same where jobs may be stored under names of their own.
     *
     * @param names a stored call by the names that its class and method have in the code
     */
    Redactor(Collection<String> more, ClassLoader loader, UnaryOperator<Invocation> names) {
        this.loader = loader;
        this.names = names;
        this.marks = SecretMarks.NONE;
        this.own = OwnSecrets.NONE;
        this.targets = new ConcurrentHashMap<>();
        this.more = more.isEmpty() ? null : Pattern.compile(String.join("|", more), Pattern.CASE_INSENSITIVE);
    }

    private Redactor(Redactor all, SecretMarks marks, OwnSecrets own) {
        this.loader = all.loader;
        this.names = all.names;
        this.targets = all.targets;
        this.more = all.more;
        this.marks = marks;
        this.own = own;
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
            if (found == null) {
                // not remembered: this process may come to know the name
                return this;
            }
            known = found == SecretMarks.NONE ? this : new Redactor(this, found, OwnSecrets.NONE);
            targets.put(target, known);
        }
        return known;
    }

    /** Null if the code is not in this process. */
    private @Nullable SecretMarks marks(String type, @Nullable String method) {
        Invocation call = names.apply(new Invocation(type, method, ""));
        try {
            return SecretMarks.of(Class.forName(call.type(), false, loader), call.method());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** The same for one job, in whose texts the secret values of its arguments are masked too. */
    Redactor of(Invocation call) {
        Redactor target = of(call.type(), call.method());
        OwnSecrets values = OwnSecrets.in(call.arguments(), target::isSecret, target.marks.positions());
        return values == OwnSecrets.NONE ? target : new Redactor(target, target.marks, values);
    }

    /** The same for a {@linkplain Invocation#target target}. */
    Redactor of(String target) {
        int hash = target.indexOf('#');
        return hash < 0 ? of(target, null) : of(target.substring(0, hash), target.substring(hash + 1));
    }

    /** The same for a job whose secrets are no longer known: none of its texts is shown. */
    Redactor hidingAll() {
        return new Redactor(this, marks, OwnSecrets.EVERYTHING);
    }

    /** Whether the job's code marks anything. */
    boolean hasMarks() {
        return marks != SecretMarks.NONE;
    }

    /** Arguments as JSON, which may be cut off anywhere. */
    String arguments(String arguments) {
        return Excerpt.of(arguments, this::isSecret, marks.positions(), this::text);
    }

    /** What a job returned, as JSON. */
    String result(String result) {
        return Excerpt.of(result, this::isSecret, Set.of(), this::text);
    }

    /**
     * What a step of a job returned, as JSON, which may be cut off anywhere.
     *
     * @param secrets further names that are secret in it
     */
    String result(String result, Set<String> secrets) {
        return Excerpt.of(result, name -> isSecret(name) || secrets.contains(name), Set.of(), this::text);
    }

    /** The value of a name. */
    String value(String name, String value) {
        return isSecret(name) ? HIDDEN : text(value);
    }

    /** Any text, also one that was cut off. */
    String text(String text) {
        return FreeText.without(own.without(text), this::isSecret);
    }

    /** A word of a job, such as a label: nothing but its own secret values is left out. */
    String word(String word) {
        return own.without(word);
    }

    private boolean isSecret(String name) {
        return SecretNames.has(name)
                || more != null && more.matcher(name).find()
                || marks.names().contains(name);
    }
}
