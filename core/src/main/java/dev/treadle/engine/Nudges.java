package dev.treadle.engine;

/**
 * Wakes chores before their rest is over.
 *
 * @param dispatch  jobs may be due, or there may be room for them
 * @param record    an ending waits to be recorded
 * @param keyed     an ending of a job with a key waits to be recorded
 * @param promote   another job may be the next to become due
 * @param deadlines an attempt has an earlier deadline than all others
 * @param notes     a job has reported notes
 * @param look      there may be pending work
 * @param recur     a slot may be due
 */
public record Nudges(
        Runnable dispatch,
        Runnable record,
        Runnable keyed,
        Runnable promote,
        Runnable deadlines,
        Runnable notes,
        Runnable look,
        Runnable recur) {
    /** For a node without loops. */
    public static Nudges none() {
        Runnable nothing = () -> {};
        return new Nudges(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing);
    }
}
