package dev.treadle.capture;

import dev.treadle.job.NotCapturableException;
import org.jspecify.annotations.Nullable;

/** Why something cannot be captured and what to write instead; the place is added where it is known. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String instead;

    /** Goes on after "it". */
    RefusedException(String what, String instead) {
        this(what, instead, null);
    }

    RefusedException(String what, String instead, @Nullable Throwable cause) {
        super(what, cause);
        this.instead = instead;
    }

    /** As users see it, with the line it is about. */
    NotCapturableException at(StackTraceElement place) {
        return new NotCapturableException(
                "This job cannot be stored: it " + getMessage() + ", at " + place + ". " + instead, getCause());
    }

    /** As users see it, where no line is known but the one that enqueues. */
    NotCapturableException atCaller() {
        return new NotCapturableException("This job cannot be stored: it " + getMessage() + ". " + instead, getCause());
    }
}
