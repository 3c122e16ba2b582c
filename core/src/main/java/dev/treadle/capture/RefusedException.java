package dev.treadle.capture;

import dev.treadle.job.NotCapturableException;
import org.jspecify.annotations.Nullable;

/** Why something cannot be captured and what to write instead. Callers that know the place add it. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String instead;

    /** The rest of a sentence that begins with "it". */
    RefusedException(String what, String instead) {
        this(what, instead, null);
    }

    RefusedException(String what, String instead, @Nullable Throwable cause) {
        super(what, cause);
        this.instead = instead;
    }

    /** The exception for users, with the source line. */
    NotCapturableException at(StackTraceElement place) {
        return new NotCapturableException(
                "This job cannot be stored: it " + getMessage() + ", at " + place + ". " + instead, getCause());
    }

    /** The exception for users, if no line is known but the one that enqueues. */
    NotCapturableException atCaller() {
        return new NotCapturableException("This job cannot be stored: it " + getMessage() + ". " + instead, getCause());
    }
}
