package dev.treadle.job;

/** What a job waits for when it joins its children. */
public enum JoinRule {
    /** All of them succeed. The first one that fails for good, or is cancelled, ends the wait, and the rest is cancelled. */
    ALL_SUCCEED,
    /** All of them end, however they do. */
    ALL_END,
    /** One of them succeeds, and then the rest is cancelled; or all of them end. */
    ANY_SUCCEEDS
}
