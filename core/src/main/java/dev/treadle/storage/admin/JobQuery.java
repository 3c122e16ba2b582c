package dev.treadle.storage.admin;

import dev.treadle.job.GateId;
import dev.treadle.job.StateName;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says which jobs to look for. A job is found if it matches everything that is given: each of several words, and each of
 * several labels. Words are found anywhere, in any case. A word has at most {@value #TEXT_CHARS_MAX} characters, and there
 * are at most {@value #WORDS_MAX} of a kind. Errors and causes need the state Failed; a cause alone implies it. Immutable.
 */
public final class JobQuery {
    /** Longest text looked for, in characters. */
    public static final int TEXT_CHARS_MAX = 300;
    /** Most words of a kind. */
    public static final int WORDS_MAX = 20;

    /** Every job. */
    public static final JobQuery ALL = new JobQuery(new Draft());

    private final @Nullable StateName state;
    private final List<String> types;
    private final List<String> labels;
    private final @Nullable String queue;
    private final List<String> arguments;
    private final List<String> errors;
    private final @Nullable String cause;
    private final @Nullable Instant since;
    private final @Nullable Instant until;
    private final @Nullable GateId gate;

    private JobQuery(Draft draft) {
        this.types = checked("types", draft.types);
        this.labels = checked("labels", draft.labels);
        this.arguments = checked("arguments", draft.arguments);
        this.errors = checked("errors", draft.errors);
        checked("queue", draft.queue == null ? List.of() : List.of(draft.queue));
        this.queue = draft.queue;
        this.cause = draft.cause;
        this.since = draft.since;
        this.until = draft.until;
        this.gate = draft.gate;
        this.state = draft.cause != null && draft.state == null ? StateName.FAILED : draft.state;
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

    /** The state of the jobs; null for any. */
    public @Nullable StateName state() {
        return state;
    }

    /** Parts of the target (type and method) or of the given name; each is in one of the two. */
    public List<String> types() {
        return types;
    }

    /** Labels that the jobs have, whole and in their case. */
    public List<String> labels() {
        return labels;
    }

    /** The queue, whole and in its case; null for any. */
    public @Nullable String queue() {
        return queue;
    }

    /** Parts of the arguments as JSON. */
    public List<String> arguments() {
        return arguments;
    }

    /** Parts of the type or message of the last failure. */
    public List<String> errors() {
        return errors;
    }

    /** The exact cause of the failure, as {@link FailureGroup#cause} gives it; null for any. */
    public @Nullable String cause() {
        return cause;
    }

    /** Jobs were made at this time or later; null for any time. */
    public @Nullable Instant since() {
        return since;
    }

    /** Jobs were made before this time; null for any time. */
    public @Nullable Instant until() {
        return until;
    }

    /** The gate that counts the jobs; null for any and none. */
    public @Nullable GateId gate() {
        return gate;
    }

    /** Asks for another state, or for any if it is null. */
    public JobQuery withState(@Nullable StateName state) {
        Draft draft = new Draft(this);
        draft.state = state;
        return new JobQuery(draft);
    }

    /** Asks for this part of the target or the name too. */
    public JobQuery withType(String part) {
        Draft draft = new Draft(this);
        draft.types = and(types, part);
        return new JobQuery(draft);
    }

    /** Asks for any target and name. */
    public JobQuery withAnyType() {
        Draft draft = new Draft(this);
        draft.types = List.of();
        return new JobQuery(draft);
    }

    /** Asks for this label too. */
    public JobQuery withLabel(String label) {
        Draft draft = new Draft(this);
        draft.labels = and(labels, label);
        return new JobQuery(draft);
    }

    /** Asks for another queue, or for any if it is null. */
    public JobQuery withQueue(@Nullable String queue) {
        Draft draft = new Draft(this);
        draft.queue = queue;
        return new JobQuery(draft);
    }

    /** Asks for this part of the arguments too. */
    public JobQuery withArguments(String part) {
        Draft draft = new Draft(this);
        draft.arguments = and(arguments, part);
        return new JobQuery(draft);
    }

    /** Asks for this part of the error too. */
    public JobQuery withError(String part) {
        Draft draft = new Draft(this);
        draft.errors = and(errors, part);
        return new JobQuery(draft);
    }

    /** Asks for another cause, or for any if it is null. */
    public JobQuery withCause(@Nullable String cause) {
        Draft draft = new Draft(this);
        draft.cause = cause;
        return new JobQuery(draft);
    }

    /** Asks for jobs made at this time or later. */
    public JobQuery withSince(@Nullable Instant since) {
        Draft draft = new Draft(this);
        draft.since = since;
        return new JobQuery(draft);
    }

    /** Asks for jobs made before this time. */
    public JobQuery withUntil(@Nullable Instant until) {
        Draft draft = new Draft(this);
        draft.until = until;
        return new JobQuery(draft);
    }

    /** Asks for the jobs that a gate counts, or for any if it is null. */
    public JobQuery withGate(@Nullable GateId gate) {
        Draft draft = new Draft(this);
        draft.gate = gate;
        return new JobQuery(draft);
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
                || until != null
                || gate != null;
    }

    /** Whether it asks for one label and nothing else, which an index answers. */
    public boolean isOneLabel() {
        return labels.size() == 1 && equals(ALL.withLabel(labels.get(0)));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JobQuery that
                && state == that.state
                && types.equals(that.types)
                && labels.equals(that.labels)
                && Objects.equals(queue, that.queue)
                && arguments.equals(that.arguments)
                && errors.equals(that.errors)
                && Objects.equals(cause, that.cause)
                && Objects.equals(since, that.since)
                && Objects.equals(until, that.until)
                && Objects.equals(gate, that.gate);
    }

    @Override
    public int hashCode() {
        return Objects.hash(state, types, labels, queue, arguments, errors, cause, since, until, gate);
    }

    @Override
    public String toString() {
        return "JobQuery[state=" + state + ", types=" + types + ", labels=" + labels + ", queue=" + queue
                + ", arguments=" + arguments + ", errors=" + errors + ", cause=" + cause + ", since=" + since
                + ", until=" + until + ", gate=" + gate + "]";
    }

    /** The next query, by name: a constructor with ten parameters would let two of one type change places unseen. */
    private static final class Draft {
        private @Nullable StateName state;
        private List<String> types = List.of();
        private List<String> labels = List.of();
        private @Nullable String queue;
        private List<String> arguments = List.of();
        private List<String> errors = List.of();
        private @Nullable String cause;
        private @Nullable Instant since;
        private @Nullable Instant until;
        private @Nullable GateId gate;

        private Draft() {}

        private Draft(JobQuery from) {
            this.state = from.state;
            this.types = from.types;
            this.labels = from.labels;
            this.queue = from.queue;
            this.arguments = from.arguments;
            this.errors = from.errors;
            this.cause = from.cause;
            this.since = from.since;
            this.until = from.until;
            this.gate = from.gate;
        }
    }
}
