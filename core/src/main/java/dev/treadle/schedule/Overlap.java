package dev.treadle.schedule;

/** What happens when a run is due and the previous one has not ended, its retries included. */
public enum Overlap {
    /** The run starts beside the previous one. */
    ALLOW,
    /** The run is skipped. */
    SKIP,
    /**
     * The run waits until the previous one has ended. Further runs that come due wait too, one after the other; {@link
     * Missed} decides about runs that have waited too long.
     */
    QUEUE
}
