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
 * @param gates     something has happened at a gate
 */
public record Nudges(
        Runnable dispatch,
        Runnable record,
        Runnable keyed,
        Runnable promote,
        Runnable deadlines,
        Runnable notes,
        Runnable look,
        Runnable recur,
        Runnable gates) {
    /** For a node with loops. */
    static Nudges of(Loops loops) {
        return new Nudges(
                loops.nudgeOf(Chore.DISPATCH),
                loops.nudgeOf(Chore.RECORD),
                loops.nudgeOf(Chore.RECORD_KEYED),
                loops.nudgeOf(Chore.PROMOTE),
                loops.nudgeOf(Chore.DEADLINES),
                loops.nudgeOf(Chore.NOTES),
                loops.nudgeOf(Chore.LOOK),
                loops.nudgeOf(Chore.RECUR),
                loops.nudgeOf(Chore.GATES));
    }

    /** For a node without loops. */
    public static Nudges none() {
        Runnable nothing = () -> {};
        return new Nudges(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing);
    }
}
