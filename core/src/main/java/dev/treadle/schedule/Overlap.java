package dev.treadle.schedule;

/** What happens when a run is due and the previous one has not ended, its retries included. */
public enum Overlap {
    /** It runs beside the previous one. */
    ALLOW,
    /** It does not run. */
    SKIP,
    /**
     * It waits for the previous one to end. Runs that come due until then wait too, one after the other; {@link Missed} says
     * what becomes of those that have waited too long.
     */
    QUEUE
}
