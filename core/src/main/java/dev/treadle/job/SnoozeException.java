package dev.treadle.job;

import java.time.Duration;

/**
 * Thrown by a job that cannot do its work now and should be tried again after this wait. The attempt is not counted, so
 * a job may snooze any number of times; each time leaves one row in its history.
 */
public class SnoozeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /** @param delay how long to wait; a negative one counts as zero, one of more than a year as a year */
    public SnoozeException(Duration delay) {
        super("snoozes for " + delay);
        this.delay = delay;
    }

    /** How long to wait. */
    public Duration delay() {
        return delay;
    }

    /** Without a stack trace, because it is no failure. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
