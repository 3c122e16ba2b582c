package dev.treadle.job;

/** Why a running job should end now. */
public enum StopReason {
    /** Its server is being stopped; it is given back and its attempt is not counted. */
    SERVER_STOPS,
    /** Its lease is gone: it was cancelled, or another node took it over. Its result no longer counts. */
    LEASE_LOST,
    /** It has run for longer than its timeout; the attempt fails, and the retry policy decides. */
    TIMED_OUT
}
