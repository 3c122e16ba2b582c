package dev.treadle.job;

/** How jobs must have ended for another to run after them. */
public enum AfterRule {
    /**
     * All of them have succeeded. While one has failed, the other waits: it goes on when the failed one has been run again
     * and has succeeded. If one is cancelled, or deleted before it succeeded, the other is cancelled, too.
     */
    AFTER_SUCCESS,
    /** One of them has failed for good. If none can fail any more, the other is cancelled. */
    AFTER_FAILURE,
    /** All of them have ended, in whatever way. */
    AFTER_END
}
