package dev.treadle.job;

import java.util.stream.Stream;

/**
 * How the children of a job have ended. The streams read it page by page, in the order in which the children were
 * spawned, and hold one page in memory, however many children there are. Each call begins with the first child again.
 *
 * @param <R> what each of them returns
 */
public interface ChildResults<R> {
    /** How many children there are. */
    long count();

    /** How many of them succeeded. */
    long succeededCount();

    /** How many of them failed for good or were cancelled. */
    long failedCount();

    /**
     * Returns what those returned that succeeded. One that returned nothing is left out.
     *
     * @throws ResultNotKeptException while it is read, if a result was too large or could not be stored
     */
    Stream<R> succeeded();

    /** Returns those that failed for good or were cancelled. */
    Stream<FailedChild> failed();

    /**
     * A child that did not succeed.
     *
     * @param ordinal its place among the children, from 0
     * @param id      its id
     * @param state   Failed or Cancelled
     * @param why     what went wrong, or why it was cancelled
     */
    record FailedChild(long ordinal, JobId id, StateName state, String why) {}
}
