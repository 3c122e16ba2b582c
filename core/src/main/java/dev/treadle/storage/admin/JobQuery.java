package dev.treadle.storage.admin;

import dev.treadle.job.StateName;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are looked for. A job is found if everything fits that is given: each of several words, and each of several
 * labels. What is null or empty does not matter. Words are found anywhere, in any case. A word has at most
 * {@value #TEXT_CHARS_MAX} characters, and there are at most {@value #WORDS_MAX} of a kind.
 *
 * @param state     where the job stands
 * @param types     parts of its target, type and method, or of the name it was given; each is in the one or the other
 * @param labels    labels that it has, whole and in their case
 * @param queue     the queue it waits in, whole and in its case
 * @param arguments parts of its arguments as JSON
 * @param errors    parts of the type or message of its last failure; only with the state Failed or a cause
 * @param cause     the exact cause of its failure, as {@link FailureGroup#cause} gives it; implies the state Failed
 * @param since     made at this time or later
 * @param until     made before this time
 */
public record JobQuery(
        @Nullable StateName state,
        List<String> types,
        List<String> labels,
        @Nullable String queue,
        List<String> arguments,
        List<String> errors,
        @Nullable String cause,
        @Nullable Instant since,
        @Nullable Instant until) {
    /** Longest text looked for, in characters. */
    public static final int TEXT_CHARS_MAX = 300;
    /** Most words of a kind. */
    public static final int WORDS_MAX = 20;

    /** Every job. */
    public static final JobQuery ALL =
            new JobQuery(null, List.of(), List.of(), null, List.of(), List.of(), null, null, null);

    /** @throws IllegalArgumentException if a text is too long, or an error is looked for where none can be */
    public JobQuery {
        types = checked("types", types);
        labels = checked("labels", labels);
        arguments = checked("arguments", arguments);
        errors = checked("errors", errors);
        checked("queue", queue == null ? List.of() : List.of(queue));
        if (cause != null && state == null) {
            state = StateName.FAILED;
        }
        if ((cause != null || !errors.isEmpty()) && state != StateName.FAILED) {
            throw new IllegalArgumentException("Only Failed jobs are found by their error or its cause, and state is "
                    + state + ". Set it to FAILED or leave the error out.");
        }
    }

    private static List<String> checked(String name, List<String> words) {
        if (words.size() > WORDS_MAX) {
            throw new IllegalArgumentException(
                    "JobQuery." + name + " has " + words.size() + " words, and may have " + WORDS_MAX + ".");
        }
        for (String word : words) {
            if (word.length() > TEXT_CHARS_MAX) {
                throw new IllegalArgumentException("JobQuery." + name + " has " + word.length()
                        + " characters, and may have " + TEXT_CHARS_MAX + ".");
            }
        }
        return words.stream().distinct().toList();
    }

    /** All jobs in one state. */
    public static JobQuery in(StateName state) {
        return ALL.withState(state);
    }

    /** The same for another state. */
    public JobQuery withState(@Nullable StateName state) {
        return new JobQuery(state, types, labels, queue, arguments, errors, cause, since, until);
    }

    /** The same, and this too is part of the target or the name. */
    public JobQuery withType(String part) {
        return new JobQuery(state, and(types, part), labels, queue, arguments, errors, cause, since, until);
    }

    /** The same, whatever the target and the name. */
    public JobQuery withAnyType() {
        return new JobQuery(state, List.of(), labels, queue, arguments, errors, cause, since, until);
    }

    /** The same, with this label too. */
    public JobQuery withLabel(String label) {
        return new JobQuery(state, types, and(labels, label), queue, arguments, errors, cause, since, until);
    }

    /** The same for another queue. */
    public JobQuery withQueue(@Nullable String queue) {
        return new JobQuery(state, types, labels, queue, arguments, errors, cause, since, until);
    }

    /** The same, and this too is part of the arguments. */
    public JobQuery withArguments(String part) {
        return new JobQuery(state, types, labels, queue, and(arguments, part), errors, cause, since, until);
    }

    /** The same, and this too is part of the error. */
    public JobQuery withError(String part) {
        return new JobQuery(state, types, labels, queue, arguments, and(errors, part), cause, since, until);
    }

    /** The same for another cause. */
    public JobQuery withCause(@Nullable String cause) {
        return new JobQuery(state, types, labels, queue, arguments, errors, cause, since, until);
    }

    /** The same for jobs made since then. */
    public JobQuery withSince(@Nullable Instant since) {
        return new JobQuery(state, types, labels, queue, arguments, errors, cause, since, until);
    }

    /** The same for jobs made before then. */
    public JobQuery withUntil(@Nullable Instant until) {
        return new JobQuery(state, types, labels, queue, arguments, errors, cause, since, until);
    }

    private static List<String> and(List<String> words, String word) {
        return Stream.concat(words.stream(), Stream.of(word)).toList();
    }

    /** Whether it asks for more than a state and a cause, which have an order of their own. */
    public boolean isPicky() {
        return !types.isEmpty()
                || !labels.isEmpty()
                || queue != null
                || !arguments.isEmpty()
                || !errors.isEmpty()
                || since != null
                || until != null;
    }

    /** Whether it asks for one label and nothing else, which an index answers. */
    public boolean isOneLabel() {
        return labels.size() == 1
                && equals(new JobQuery(null, List.of(), labels, null, List.of(), List.of(), null, null, null));
    }
}
