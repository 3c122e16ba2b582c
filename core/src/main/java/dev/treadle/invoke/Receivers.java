package dev.treadle.invoke;

import dev.treadle.invoke.NotRunnableException.Missing;
import dev.treadle.job.JobActivator;
import org.jspecify.annotations.Nullable;

/** Asks the activator for the object to call, and checks its type. */
final class Receivers {
    private Receivers() {}

    static Object supply(Class<?> type, JobActivator activator) {
        Object supplied;
        try {
            supplied = activator.activate(type);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw missing(type, "was interrupted", e);
        } catch (Exception | LinkageError e) {
            throw missing(type, "said: " + e, e);
        }
        if (!type.isInstance(supplied)) {
            String given =
                    supplied == null ? "null" : "a " + supplied.getClass().getName();
            throw missing(type, "gave " + given, null);
        }
        return supplied;
    }

    private static NotRunnableException missing(Class<?> type, String what, @Nullable Throwable cause) {
        return new NotRunnableException(
                Missing.RECEIVER,
                "No " + type.getName() + " to call the job on: the activator " + what
                        + ". Make it known to the JobActivator of this node, then run the job again.",
                cause);
    }
}
