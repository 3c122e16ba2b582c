package dev.treadle.discovery;

import dev.treadle.executor.JobRunrExecutor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says in one line, for people, why a provider could not be used; the JDK's messages are not meant for people. */
final class SkipReason {
    private static final String SERVICE = JobRunrExecutor.class.getName() + ": ";
    private static final Pattern PROVIDER = Pattern.compile("(?:Provider |Unable to load )?([\\w.$]+)((?: .*)?)");
    private static final Pattern TOO_NEW =
            Pattern.compile("(\\S+) has been compiled by a more recent version.*?class file version (\\d+).*");

    /** Class files of Java 1 are version 45, and each Java since added one. */
    private static final int CLASS_VERSION_OF_JAVA_0 = 44;

    private SkipReason() {}

    /** What the iteration over providers threw. */
    static Candidate of(Throwable thrown) {
        if (thrown instanceof UnsupportedClassVersionError) {
            Matcher tooNew = TOO_NEW.matcher(String.valueOf(thrown.getMessage()));
            if (tooNew.matches()) {
                return Candidate.skipped(tooNew.group(1).replace('/', '.'), text(thrown));
            }
        }
        String message = String.valueOf(thrown.getMessage());
        if (message.startsWith(SERVICE)) {
            message = message.substring(SERVICE.length());
            Matcher provider = PROVIDER.matcher(message);
            if (provider.matches()) {
                return Candidate.skipped(provider.group(1), fromServiceLoader(provider.group(2), thrown.getCause()));
            }
            return Candidate.skipped("a registration", message);
        }
        return Candidate.skipped("a registered class", text(thrown));
    }

    private static String fromServiceLoader(String said, @Nullable Throwable cause) {
        if (cause == null) {
            return said.isBlank() ? "cannot be loaded" : said.strip();
        }
        return cause instanceof UnsupportedClassVersionError || said.isBlank()
                ? text(cause)
                : said.strip() + ": " + text(cause);
    }

    /** A throwable as one line. */
    static String text(Throwable thrown) {
        Matcher tooNew = TOO_NEW.matcher(String.valueOf(thrown.getMessage()));
        if (thrown instanceof UnsupportedClassVersionError && tooNew.matches()) {
            int needed = Integer.parseInt(tooNew.group(2)) - CLASS_VERSION_OF_JAVA_0;
            return "needs Java " + needed + ", this is Java "
                    + Runtime.version().feature();
        }
        return thrown.toString().replaceAll("\\s*\\R\\s*", " ");
    }
}
