package dev.treadle.job;

/** Why a running job should end now. */
public enum StopReason {
    /** Its server is being stopped; it is given back and its attempt is not counted. */
    SERVER_STOPS,
    /** It has lost its lease: it was cancelled, or another node rescued it. Its result is refused. */
    LEASE_LOST,
    /** It has run for longer than its timeout; the attempt fails, and the retry policy decides. */
    TIMED_OUT
}
