package dev.treadle.invoke;

import dev.treadle.job.JobResult;
import dev.treadle.job.JobStep;
import dev.treadle.job.StepNotKeptException;
import dev.treadle.payload.JsonResults;
import dev.treadle.payload.SecretMarks;
import dev.treadle.storage.RunStorage.NewStep;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes what is recorded of a step, or says why it cannot be recorded. */
final class StepWriter {
    /** What Kotlin's functions return that return nothing. */
    private static final String KOTLIN_UNIT = "kotlin.Unit";

    private StepWriter() {}

    /** What became of the work of a step that cannot be recorded. */
    enum Work {
        /** It stays done, and a further attempt would do it again. */
        IS_DONE(" was done, but cannot be recorded, and a further attempt would do it again; so the job gives up. "),
        /** Its transaction is rolled back. */
        IS_ROLLED_BACK(
                " cannot be recorded. So its transaction was rolled back, and the job gives up, because a further attempt"
                        + " would end in the same way. ");

        private final String sentence;

        Work(String sentence) {
            this.sentence = sentence;
        }
    }

    /** @throws IllegalArgumentException if this cannot be the name of a step */
    static void mustBeName(String name) {
        if (name.isBlank() || name.length() > JobStep.NAME_CHARS_MAX) {
            throw new IllegalArgumentException("The name of a step has 1 to " + JobStep.NAME_CHARS_MAX
                    + " characters, not " + (name.isBlank() ? "none" : name.length())
                    + ". Give a short word for what it"
                    + " does, such as \"pay\" or \"page-\" + n.");
        }
        if (name.codePoints().anyMatch(StepWriter::cannotStandInName)) {
            throw new IllegalArgumentException("The name of a step has no line breaks, other control characters or"
                    + " halves of characters in it. Give a short word for what it does, such as \"pay\".");
        }
    }

    private static boolean cannotStandInName(int codePoint) {
        return Character.isISOControl(codePoint)
                || codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /** @throws StepNotKeptException if what it returned would not come back the same */
    static NewStep step(JsonResults results, String name, Type type, @Nullable Object value, Duration took, Work work) {
        if (value == null || value.getClass().getName().equals(KOTLIN_UNIT)) {
            return new NewStep(name, took, null, Set.of());
        }
        JobResult kept = results.writeAs(value, type);
        if (kept.json() == null) {
            String cure = isOpen(type)
                    ? " If it would come back with its whole type, name that: job.step(\"" + name
                            + "\", new StepType<List<Page>>() {}, () -> …)."
                    : "";
            throw new StepNotKeptException(
                    "The step '" + name + "'" + work.sentence + Objects.requireNonNull(kept.whyNotKept()) + cure, null);
        }
        return new NewStep(name, took, kept.json(), SecretMarks.within(type, value.getClass()));
    }

    /** Whether a lambda may have left out something of it. */
    private static boolean isOpen(Type type) {
        return type == Object.class || type instanceof Class<?> named && named.getTypeParameters().length > 0;
    }

    static StepNotKeptException tooMuch(String name, Work work) {
        return new StepNotKeptException(
                "The step '" + name + "'" + work.sentence + "The results of its steps would take more than "
                        + JobStep.RESULT_CHARS_MAX
                        + " characters together. Store the data yourself, and return its id.",
                null);
    }
}
