package dev.treadle.server;

import org.jspecify.annotations.Nullable;

/** What is said when a class that Treadle itself needs cannot be used. Waiting does not cure that, so it is never retried. */
final class LinkageFailures {
    /** Longest chain of causes that is looked at. */
    private static final int CAUSES_MAX = 20;

    private LinkageFailures() {}

    /**
     * Whether a failure lasts for as long as this JVM does: a class is missing, or is not the version it was compiled
     * against. A class that could not be initialized for want of memory says nothing of the class path.
     */
    static boolean isLasting(Throwable failed) {
        if (!(failed instanceof LinkageError)) {
            return false;
        }
        @Nullable Throwable cause = failed;
        for (int i = 0; cause != null && i < CAUSES_MAX; i++) {
            if (cause instanceof VirtualMachineError || isFromWantOfMemory(cause)) {
                return false;
            }
            cause = cause.getCause();
        }
        return true;
    }

    /** The JVM keeps the first failure of an initialization as text, and keeps nothing if memory is too short for that. */
    private static boolean isFromWantOfMemory(Throwable failed) {
        String message = String.valueOf(failed.getMessage());
        return failed instanceof ExceptionInInitializerError && message.contains(OutOfMemoryError.class.getName())
                || failed instanceof NoClassDefFoundError
                        && message.startsWith("Could not initialize class")
                        && failed.getCause() == null;
    }

    /** Cause and cure, as one sentence that goes on from what cannot work. */
    static String sentence(LinkageError broken) {
        return "because a class that Treadle needs is missing or is of another version (" + broken
                + "): compare the versions of the jars on the class path with those that Treadle asks for, such as"
                + " jackson-annotations, jackson-core and jackson-databind (mvn dependency:tree), and correct the one that"
                + " something else pins.";
    }
}
