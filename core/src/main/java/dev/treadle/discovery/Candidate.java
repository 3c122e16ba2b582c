package dev.treadle.discovery;

import dev.treadle.executor.JobRunrExecutor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One executor that could have been chosen, and what became of it.
 *
 * @param className the implementing class, or what the registration is if that is not known
 * @param name      its {@link JobRunrExecutor#executorName}; null if it was skipped
 * @param priority  its {@link JobRunrExecutor#getPriority}; null if it was skipped or is the fallback
 * @param verdict   what became of it
 * @param why       the reason, for people
 */
public record Candidate(
        String className, @Nullable String name, @Nullable Integer priority, Verdict verdict, String why) {

    /** What became of a candidate. */
    public enum Verdict {
        /** This one lends the threads. */
        CHOSEN,
        /** Usable, but another was chosen. */
        FOUND,
        /** Registered, but not usable here. */
        SKIPPED
    }

    static Candidate skipped(String className, String why) {
        return new Candidate(className, null, null, Verdict.SKIPPED, why);
    }

    /** One line, such as {@code skipped org.example.Fast: needs Java 21, this is Java 17}. */
    @Override
    public String toString() {
        String who = name == null ? className : name + " (" + className + ")";
        return verdict.name().toLowerCase(Locale.ROOT) + " " + who + ": " + why;
    }
}
