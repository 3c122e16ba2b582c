package dev.treadle.job;

import org.jspecify.annotations.Nullable;

/**
 * The result of a step cannot be recorded: it is too large, or it would not come back the same. The job gives up, because
 * each further attempt would do the work of the step again. The message says what to change.
 */
public class StepNotKeptException extends GiveUpException {
    private static final long serialVersionUID = 1L;

    /** With a message for people. */
    public StepNotKeptException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
