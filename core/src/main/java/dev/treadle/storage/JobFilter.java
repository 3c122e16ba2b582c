package dev.treadle.storage;

import dev.treadle.job.StateName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are looked for; what is null does not matter. Texts are found anywhere, in any case, at most
 * {@value #TEXT_CHARS_MAX} characters each.
 *
 * @param state     where the job stands
 * @param type      part of its target's name, type and method, or of the name it was given
 * @param label     one of its labels, whole and in its case
 * @param queue     the queue it waits in, whole and in its case
 * @param arguments part of its arguments as JSON
 * @param error     part of the type or message of its last failure; only with the state Failed or a cause
 * @param cause     the exact cause of its failure, as {@link FailureGroup#cause} gives it; implies the state Failed
 * @param since     made at this time or later
 * @param until     made before this time
 */
public record JobFilter(
        @Nullable StateName state,
        @Nullable String type,
        @Nullable String label,
        @Nullable String queue,
        @Nullable String arguments,
        @Nullable String error,
        @Nullable String cause,
        @Nullable Instant since,
        @Nullable Instant until) {
    /** Longest text looked for, in characters. */
    public static final int TEXT_CHARS_MAX = 300;

    /** Every job. */
    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, null, null, null, null);

    /** @throws IllegalArgumentException if a text is too long, or an error is looked for where none can be */
    public JobFilter {
        check("type", type);
        check("label", label);
        check("queue", queue);
        check("arguments", arguments);
        check("error", error);
        if (cause != null && state == null) {
            state = StateName.FAILED;
        }
        if ((cause != null || error != null) && state != StateName.FAILED) {
            throw new IllegalArgumentException("Only Failed jobs are found by their error or its cause, and state is "
                    + state + ". Set it to FAILED or leave the error out.");
        }
    }

    private static void check(String name, @Nullable String text) {
        if (text != null && text.length() > TEXT_CHARS_MAX) {
            throw new IllegalArgumentException("JobFilter." + name + " has " + text.length()
                    + " characters, and may have " + TEXT_CHARS_MAX + ".");
        }
    }

    /** All jobs in one state. */
    public static JobFilter in(StateName state) {
        return ALL.withState(state);
    }

    /** The same for another state. */
    public JobFilter withState(@Nullable StateName state) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for another part of the target's name. */
    public JobFilter withType(@Nullable String type) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for another label. */
    public JobFilter withLabel(@Nullable String label) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for another queue. */
    public JobFilter withQueue(@Nullable String queue) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for another part of the arguments. */
    public JobFilter withArguments(@Nullable String arguments) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for another part of the error. */
    public JobFilter withError(@Nullable String error) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for another cause. */
    public JobFilter withCause(@Nullable String cause) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for jobs made since then. */
    public JobFilter withSince(@Nullable Instant since) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** The same for jobs made before then. */
    public JobFilter withUntil(@Nullable Instant until) {
        return new JobFilter(state, type, label, queue, arguments, error, cause, since, until);
    }

    /** Whether it asks for more than a state and a cause, which have an order of their own. */
    public boolean isPicky() {
        return type != null
                || label != null
                || queue != null
                || arguments != null
                || error != null
                || since != null
                || until != null;
    }
}
