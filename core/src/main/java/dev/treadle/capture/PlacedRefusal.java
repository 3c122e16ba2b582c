package dev.treadle.capture;

import dev.treadle.job.NotCapturableException;

/** A refusal with the line that it is about. */
final class PlacedRefusal extends NotCapturableException {
    private static final long serialVersionUID = 1L;

    PlacedRefusal(RefusedException refusal, StackTraceElement place) {
        super(
                "This job cannot be stored: it " + refusal.getMessage() + ", at " + place + ". " + refusal.instead(),
                refusal.getCause());
    }
}
