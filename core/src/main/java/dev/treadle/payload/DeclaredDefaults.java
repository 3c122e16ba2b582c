package dev.treadle.payload;

import dev.treadle.job.JobDefaults;
import dev.treadle.job.JobTraits;
import dev.treadle.job.RetryPolicy;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads what {@link JobDefaults} says. */
public final class DeclaredDefaults {
    private DeclaredDefaults() {}

    /**
     * The traits that a class, and a method of it, declare for their jobs; null if they declare none.
     *
     * @param method null for a request
     * @throws IllegalArgumentException if one of them cannot be used; the message names it
     */
    public static @Nullable JobTraits of(Class<?> type, @Nullable Method method) {
        JobTraits ofType = read(type.getDeclaredAnnotation(JobDefaults.class), type.getName());
        JobTraits ofMethod = method == null
                ? null
                : read(method.getDeclaredAnnotation(JobDefaults.class), type.getName() + "#" + MethodName.of(method));
        if (ofType == null || ofMethod == null) {
            return ofMethod == null ? ofType : ofMethod;
        }
        return ofMethod.withDefaults(ofType);
    }

    private static @Nullable JobTraits read(@Nullable JobDefaults declared, String where) {
        if (declared == null) {
            return null;
        }
        try {
            return traits(declared);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@JobDefaults of " + where + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static JobTraits traits(JobDefaults declared) {
        JobTraits traits = JobTraits.DEFAULT;
        if (!declared.name().isEmpty()) {
            traits = traits.withName(declared.name());
        }
        if (!declared.queue().isEmpty()) {
            traits = traits.withQueue(declared.queue());
        }
        if (declared.priority() != JobDefaults.NO_PRIORITY) {
            traits = traits.withPriority(declared.priority());
        }
        if (declared.attempts() != 0) {
            traits = traits.withRetries(RetryPolicy.DEFAULT.withAttempts(declared.attempts()));
        }
        if (!declared.timeout().isEmpty()) {
            traits = traits.withTimeout(span(declared.timeout()));
        }
        if (declared.labels().length > 0) {
            traits = traits.withLabels(declared.labels());
        }
        return declared.tags().length > 0 ? traits.withTags(declared.tags()) : traits;
    }

    private static Duration span(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "the timeout '" + text + "' is no duration in ISO 8601. Write \"PT30S\" for 30 seconds or \"PT2H\""
                            + " for 2 hours.",
                    e);
        }
    }
}
