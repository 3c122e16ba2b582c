package dev.treadle.engine;

/**
 * What ends the rest of the loops that have one worth ending.
 *
 * @param dispatch  there may be work or room
 * @param record    there is something to write down
 * @param keyed     the same of jobs with keys
 * @param promote   there may be another job that becomes due next
 * @param deadlines an attempt ends before all others
 * @param notes     a job told something
 * @param look      there may be something to do
 * @param recur     a slot may have come
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
