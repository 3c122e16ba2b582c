package dev.treadle.engine;

import org.jspecify.annotations.Nullable;

/** Describes a failure to use a class that Treadle itself needs. Such a failure lasts, so nothing retries it. */
final class LinkageFailures {
    /** How many causes in a row are looked at. */
    private static final int CAUSES_MAX = 20;

    private LinkageFailures() {}

    /**
     * Whether a failure lasts for as long as this JVM does: a class is missing, is not the version it was compiled
     * against, or could not be initialized before. An initialization that ran out of memory is a passing fault the first
     * time; from then on the JVM refuses the class.
     */
    static boolean isLasting(Throwable failed) {
        if (!(failed instanceof LinkageError)) {
            return false;
        }
        if (isRefused(failed)) {
            return true;
        }
        @Nullable Throwable cause = failed;
        for (int i = 0; cause != null && i < CAUSES_MAX; i++) {
            if (cause instanceof VirtualMachineError) {
                return false;
            }
            cause = cause.getCause();
        }
        return true;
    }

    /** Whether the JVM refuses a class because its initialization failed before. */
    private static boolean isRefused(Throwable failed) {
        return failed instanceof NoClassDefFoundError
                && String.valueOf(failed.getMessage()).startsWith("Could not initialize class");
    }

    /** Cause and cure, as the end of a sentence that begins with what cannot work. */
    static String sentence(LinkageError broken) {
        if (isRefused(broken)) {
            return "because a class could not be initialized, perhaps because the heap was exhausted then, and this JVM"
                    + " will not try again (" + broken + "): start the process anew.";
        }
        return "because a class that Treadle needs is missing or is of another version (" + broken
                + "): compare the versions of the jars on the class path with those that Treadle asks for, such as"
                + " jackson-annotations, jackson-core and jackson-databind (mvn dependency:tree), and correct the one that"
                + " something else pins.";
    }
}
